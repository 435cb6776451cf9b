import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { PartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { Directory } from '@waybill/directory/directory';
import { proofOfLogin } from '@waybill/directory/standing/login-proof';
import type { UserHold } from '@waybill/directory/standing/user-hold';
import type { UserWatch } from '@waybill/directory/standing/watch-users';
import type { LoginBans } from '@waybill/login-throttle/login-ban';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { BufferReclaimer } from '@waybill/service-kit/buffer-reclaimer';
import type { CountNetwork } from '@waybill/service-kit/network/counted-network';
import type { ClientInfo, Connection } from 'ssh2';
import type { FileLogin } from '../../domain/files/session/create-file-session.ts';
import type { FileSession } from '../../domain/files/session/file-session.ts';
import { clientOfSession, type ServerSession } from '../../domain/sessions/server-session.ts';
import type { SessionActivity } from '../../domain/sessions/session-activity.ts';
import type { SessionAudit } from '../../domain/sessions/session-audit.ts';
import type { SessionLifecycle } from '../../domain/sessions/session-lifecycle.ts';
import type { TerminationOrder } from '../../domain/sessions/session-terminator.ts';
import type { GatewayEvents } from '../../events.ts';
import { admitSocket, type AdmissionPorts, type AdmittedSocket } from '../admission/admit-socket.ts';
import { createExchangeBudget } from '../admission/exchange-budget.ts';
import { keyExchangeCost } from '../admission/key-exchange-costs.ts';
import { createStartupGate } from '../admission/startup-gate.ts';
import { auditFailures } from '../login/audit-failures.ts';
import { authenticateConnection } from '../login/authenticate-connection.ts';
import { duePasswords } from '../login/change-due-password.ts';
import { checkCredentials } from '../login/check-credentials.ts';
import { LegacyUse } from '../login/legacy-use.ts';
import { evidenceOf } from '../login/login-evidence.ts';
import type { SftpLimits } from '../sftp-limits.ts';
import { socketOf } from '../ssh2/ssh2-internals.ts';
import type { OpenReadAhead } from '../transfers/read-ahead.ts';
import type { TransferBuffers } from '../transfers/transfer-buffers.ts';
import { announceHostKeys } from './announce-host-keys.ts';
import type { HostKey } from './host-key.ts';
import { LiveConnections } from './live-connections.ts';
import { endWhenWithdrawn, release } from './login-hold.ts';
import { SshConnection, type SshConnectionOptions } from './ssh-connection.ts';
import { createSshServers } from './ssh-servers.ts';

/** What an SFTP server needs. */
export interface SftpServerOptions {
  /** The present keys of the server: the same array while they do not change. */
  hostKeys(): readonly HostKey[];
  readonly limits: SftpLimits;
  /** Whether the connections of this peer begin with a PROXY protocol header. */
  isProxy(address: string): boolean;
  readonly countNetwork: CountNetwork;
  readonly throttle: LoginThrottle;
  readonly bans: Pick<LoginBans, 'isBanned'>;
  /** Whether key exchanges of this address are not counted. */
  isExempt(address: string): boolean;
  readonly directory: Pick<
    Directory,
    'verifyPartnerPassword' | 'findPartnerUser' | 'recordKeyUse' | 'recordLogin' | 'listLegacyAlgorithms'
  >;
  readonly passwords: PartnerPasswords;
  readonly secondFactors: PartnerSecondFactors;
  /** Reports logins that are no longer valid. */
  readonly watch: UserWatch;
  readonly sessions: SessionLifecycle;
  readonly audit: Pick<SessionAudit, 'loginFailed' | 'turnedAway' | 'terminated' | 'legacyUsed'>;
  readonly events: GatewayEvents;
  readonly reclaimer: BufferReclaimer;
  readonly transferBuffers: TransferBuffers;
  readonly openReadAhead: OpenReadAhead;
  filesOf(login: FileLogin & { readonly hold: UserHold }): FileSession;
}

/** An SFTP server that does not listen until `listen`. */
export interface SftpServer {
  /** Port 0 takes any free one. */
  listen(address: { host: string; port: number }): Promise<{ port: number }>;
  /** Ends a session of this process; false if it has none with that id. Resolves when the client is disconnected. */
  terminate(sessionId: string, order: TerminationOrder): Promise<boolean>;
  /**
   * The activities of the sessions of this process, by session id: only those that have changed since the last call.
   */
  takeActivities(): ReadonlyMap<string, SessionActivity>;
  /** Accepts no new connections from here on; transfers have this long to end. */
  stop(drainTimeoutMs: number): Promise<void>;
}

/** Speaks SSH with ssh2, on the sockets that it admits and tracks. */
export function createSftpServer(options: SftpServerOptions): SftpServer {
  const { events, audit } = options;
  const connections = new LiveConnections();
  const admitted = new WeakMap<Socket, AdmittedSocket>();
  const admission = admissionOf(options);
  const ssh = createSshServers({
    ...options,
    onConnection: (client, info) => {
      const socket = socketOf(client);
      const admission = admitted.get(socket);
      if (admission === undefined) socket.destroy();
      else serveConnection({ client, info, socket, admission }, connections, options);
    },
  });
  const sockets = new Set<Socket>();
  const tcp = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    void admitSocket(socket, admission).then(async (admission) => {
      if (admission === undefined) return;
      const legacy = await listLegacyAlgorithms(options);
      if (socket.destroyed) return;
      admitted.set(socket, admission);
      ssh.serve(socket, legacy);
    });
  });

  return {
    listen: async ({ host, port }) => {
      tcp.listen(port, host);
      await once(tcp, 'listening');
      return { port: (tcp.address() as AddressInfo).port };
    },
    terminate: async (sessionId, order) => {
      const connection = connections.find(sessionId);
      if (connection?.login === undefined) return false;
      connection.end(order.reason);
      await connection.closed;
      events.sessionTerminated(connection.login.session, order.requestedBy);
      await audit.terminated(connection.login.session, order);
      return true;
    },
    takeActivities: () => connections.takeActivities(),
    stop: async (drainTimeoutMs) => {
      tcp.close();
      await connections.drain(drainTimeoutMs);
      connections[Symbol.dispose]();
      // Those that have not started SSH yet.
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** If the lookup fails, no legacy algorithm is offered; modern clients still connect. */
async function listLegacyAlgorithms({ directory, events }: SftpServerOptions): Promise<readonly LegacyAlgorithm[]> {
  try {
    return await directory.listLegacyAlgorithms();
  } catch (error) {
    events.legacyUnknown(error);
    return [];
  }
}

function admissionOf({ limits, isProxy, isExempt, countNetwork, bans, events }: SftpServerOptions): AdmissionPorts {
  const gate = createStartupGate({ limit: limits.unauthenticatedConnections });
  const exchangeBudget = createExchangeBudget({ perMinute: limits.exchangesPerAddress, countNetwork, isExempt });
  return { gate, countNetwork, exchangeBudget, loginGraceMs: limits.loginGraceMs, isProxy, bans, events };
}

interface NewConnection {
  readonly client: Connection;
  readonly info: ClientInfo;
  readonly socket: Socket;
  readonly admission: AdmittedSocket;
}

function serveConnection(accepted: NewConnection, connections: LiveConnections, options: SftpServerOptions): void {
  const { client, info, socket, admission } = accepted;
  const { hostKeys, limits, events, watch, sessions, audit, filesOf } = options;
  const connection = new SshConnection({ ...options, ...followExchanges(admission, events), client, socket });
  let opening: Promise<ServerSession> | undefined;
  let hold: UserHold | undefined;
  const clearUp = async (): Promise<void> => {
    await connection.closed;
    const session = await opening?.catch(() => undefined);
    const closing = session === undefined ? undefined : sessions.close(session, release(hold));
    await Promise.all([closing, connection.abandon()]);
    if (session !== undefined) events.sessionClosed(session);
  };
  connections.add(connection, clearUp());
  announceHostKeys(client, hostKeys(), (key) => {
    if (connection.login !== undefined) events.hostKeyProved(connection.login.session, key);
  });

  const legacy = watchLegacyUse(client, connection);
  authenticateConnection(client, {
    ...limits,
    ...checkCredentials({ ...options, clientAddress: admission.client.address, legacy }),
    accept: async (user, method, key) => {
      const { address, port } = admission.client;
      // Checked and begun synchronously, so that the cleanup of the connection knows of the session.
      if (connection.isClosed) throw new Error('The client has gone');
      const refusal = legacy.refusalFor(user);
      if (refusal !== undefined) throw refusal;
      const evidence = evidenceOf(user, method, key);
      opening = sessions.open({ user, address, port, version: info.header.identRaw, evidence });
      const session = await opening;
      admission.loggedIn();
      const login = proofOfLogin(user, { password: method !== 'publickey', key, addresses: [address] });
      hold = watch.hold({ user, login });
      endWhenWithdrawn(connection, hold);
      connection.admit({
        user,
        session,
        files: filesOf({ user, sessionId: session.sessionId, hold, client: clientOfSession(session) }),
      });
      events.loggedIn(session, method);
      options.directory.recordLogin(user).catch((error: unknown) => events.operationFailed('record-login', error));
      if (legacy.algorithms.length > 0) {
        events.legacyUsed(session, legacy.algorithms);
        await audit.legacyUsed(session, legacy.algorithms);
      }
    },
    ...duePasswords({ ...options, ...admission.client, banner: info.header.identRaw }),
    ...auditFailures({ ...options, ...admission.client, banner: info.header.identRaw }),
    broke: (error) => connection.isClosed || events.operationFailed('login', error),
  });
}

function followExchanges(
  { client: { address }, exchanging }: AdmittedSocket,
  events: GatewayEvents,
): Pick<SshConnectionOptions, 'exchangeBegan' | 'exchangeRefused'> {
  // The server has sent its offer: an offer that is not answered costs as much as a cheap exchange.
  const offerCost = 1;
  exchanging(offerCost);
  return {
    exchangeBegan: (exchange, origin) => {
      exchanging(keyExchangeCost(exchange) - (origin === 'login' ? offerCost : 0));
      events.keyExchangeBegan(exchange.method, origin);
    },
    exchangeRefused: ({ method }, refusal) => events.keyExchangeRefused(method, { address, ...refusal }),
  };
}

function watchLegacyUse(client: Connection, connection: SshConnection): LegacyUse {
  const legacy = new LegacyUse();
  client.on('handshake', (negotiated) => {
    legacy.exchanged(negotiated);
    // A client may choose another algorithm when keys are renewed.
    const { login } = connection;
    const refusal = login === undefined ? undefined : legacy.refusalFor(login.user);
    if (refusal !== undefined) connection.end(refusal.message);
  });
  return legacy;
}
