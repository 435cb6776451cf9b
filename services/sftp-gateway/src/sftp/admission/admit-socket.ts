import type { Socket } from 'node:net';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import { canonicalAddress } from '@waybill/service-kit/network/client-address';
import type { CountNetwork } from '@waybill/service-kit/network/counted-network';
import type { GatewayEvents } from '../../events.ts';
import type { ExchangeBudget } from './exchange-budget.ts';
import type { ClientAddress } from './parse-proxy-header.ts';
import { receiveProxyHeader } from './receive-proxy-header.ts';
import type { StartupGate } from './startup-gate.ts';

/** A connection that may proceed to log in. */
export interface AdmittedSocket {
  readonly client: ClientAddress;
  /** A key exchange is offered or begins, with this additional cost. */
  exchanging(cost: number): void;
  /** The client has logged in: its grace time ends, and its place in the queue is released. */
  loggedIn(): void;
}

/** What the admission of connections depends on. */
export interface AdmissionPorts {
  readonly gate: StartupGate;
  readonly countNetwork: CountNetwork;
  readonly exchangeBudget: ExchangeBudget;
  readonly loginGraceMs: number;
  /** Whether the connections of this peer begin with a PROXY protocol header. */
  isProxy(address: string): boolean;
  readonly bans: Pick<LoginBans, 'isBanned'>;
  readonly events: GatewayEvents;
}

/**
 * Refuses connections before the SSH protocol starts: from trusted proxies without a header, from banned addresses,
 * floods, and from addresses with too many key exchanges without a login. Starts the login grace time, at whose end the
 * connection is closed. Undefined: the socket is closed.
 */
export async function admitSocket(socket: Socket, ports: AdmissionPorts): Promise<AdmittedSocket | undefined> {
  const { gate, countNetwork, exchangeBudget, loginGraceMs, bans, events } = ports;
  // ssh2 adds its error listener later; an error before that must not end the process.
  socket.on('error', () => {});
  const peer = addressOf(socket);
  if (peer === undefined) return refuse(socket);
  const grace = setTimeout(() => {
    events.loginGraceExpired(peer.address);
    socket.destroy();
  }, loginGraceMs);
  socket.once('close', () => clearTimeout(grace));

  const client = ports.isProxy(peer.address) ? await receiveProxyHeader(socket, peer) : peer;
  if (client === undefined || socket.destroyed) return refuse(socket);
  if (!exchangeBudget.admits(client.address)) {
    events.connectionOverBudget(client.address);
    return sayAndRefuse(socket, 'Too many key exchanges without a login: try again in a minute');
  }
  // Before the lookup of the ban in Redis: no more connections than there are places wait for Redis.
  const network = countNetwork(client.address);
  if (!gate.admit(network)) {
    events.connectionDropped(client.address);
    return refuse(socket);
  }
  let waits = true;
  let cost = 0;
  const release = (): void => {
    if (waits) gate.release(network);
    waits = false;
  };
  socket.once('close', () => {
    if (waits && exchangeBudget.spend(client.address, cost)) events.exchangesSpent(client.address);
    release();
  });
  if (await bans.isBanned(client.address)) {
    events.connectionBanned(client.address);
    return sayAndRefuse(socket, 'Too many failed logins: try again later');
  }
  if (socket.destroyed) return undefined;
  return {
    client,
    exchanging: (ofThisOne) => {
      cost += ofThisOne;
    },
    loggedIn: () => {
      clearTimeout(grace);
      release();
    },
  };
}

/** RFC 4253, section 4.2 lets a server send lines before its version; OpenSSH's clients show them with -v. */
function sayAndRefuse(socket: Socket, why: string): undefined {
  socket.end(`${why}\r\n`, () => socket.destroy());
  return undefined;
}

function refuse(socket: Socket): undefined {
  socket.destroy();
  return undefined;
}

function addressOf({ remoteAddress, remotePort }: Socket): ClientAddress | undefined {
  const address = canonicalAddress(remoteAddress ?? '');
  return address === undefined || remotePort === undefined ? undefined : { address, port: remotePort };
}
