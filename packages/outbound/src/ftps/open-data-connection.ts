import { once } from 'node:events';
import { connect as connectTcp, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { FTPError, type FTPContext, type FTPResponse } from 'basic-ftp';
import type { CertificateRules } from './secure-socket.ts';

/** What data connections need. */
export interface DataConnections {
  readonly name: string;
  readonly rules: CertificateRules;
  readonly timeoutMs: number;
}

/** When the servers have confirmed the handshakes of data connections. */
const handshakes = new WeakMap<Socket, Promise<void>>();

/**
 * Waits until the server has confirmed the handshake of a data connection by a ticket, which it sends after the last message of the
 * handshake (RFC 8446, section 4.6.1), but not longer than `atMostMs`: servers need not send one.
 */
export async function confirmedHandshake(socket: Socket | undefined, atMostMs: number): Promise<void> {
  await Promise.race([socket && handshakes.get(socket), delay(atMostMs)]);
}

/** Other services of the same machine have these. */
const reservedPorts = 1_024;

/**
 * Prepares data connections in passive mode, for basic-ftp. They go to the address of the control connection, which was checked,
 * whatever address the server names, and have TLS like it, with its session, so that nothing else can take them.
 */
export function createDataConnections({ name, rules, timeoutMs }: DataConnections) {
  let command = 'EPSV';
  return async (ftp: FTPContext): Promise<FTPResponse> => {
    const control = ftp.socket;
    if (!(control instanceof TLSSocket)) throw new Error('the control connection has no TLS');
    let response: FTPResponse;
    try {
      response = await ftp.request(command);
    } catch (error) {
      if (command !== 'EPSV' || !(error instanceof FTPError) || error.code < 500) throw error;
      command = 'PASV';
      response = await ftp.request(command);
    }
    const port = portIn(response.message);
    const address = control.remoteAddress;
    if (port === undefined || port < reservedPorts || port > 65_535 || address === undefined) {
      const detail = `${name}: the server names no usable port for data: ${response.message.slice(0, 100)}`;
      throw new CodedError('remote_refused', { detail });
    }
    const socket = await openTcp(address, port, timeoutMs);
    const session = ftp.tlsSessionStore ?? control.getSession();
    const secure = connectTls({ ...rules.options, socket, ...(session && { session }) });
    // Servers give a new ticket for each session of TLS 1.3.
    const ticketed = new Promise<void>((resolve) => {
      secure.on('session', (ticket) => {
        ftp.tlsSessionStore = ticket;
        resolve();
      });
    });
    handshakes.set(secure, ticketed);
    // Before basic-ftp sends the first byte. It does not wait here: some servers begin TLS after the next command.
    secure.once('secureConnect', () => {
      try {
        rules.verify(secure);
      } catch (error) {
        secure.destroy(error instanceof Error ? error : new Error('the certificate is refused', { cause: error }));
      }
    });
    ftp.dataSocket = secure;
    return response;
  };
}

/** The port of a reply to EPSV (RFC 2428, section 3) or to PASV. The address of the latter is ignored. */
function portIn(message: string): number | undefined {
  const extended = /\(([!-~])\1\1(\d{1,5})\1\)/u.exec(message)?.[2];
  if (extended !== undefined) return Number(extended);
  const [, high, low] = /\b(?:\d{1,3},){4}(\d{1,3}),(\d{1,3})\b/u.exec(message) ?? [];
  return high === undefined || low === undefined ? undefined : Number(high) * 256 + Number(low);
}

async function openTcp(host: string, port: number, timeoutMs: number): Promise<Socket> {
  const socket = connectTcp({ host, port });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(timeoutMs) });
  } catch (cause) {
    socket.on('error', () => {});
    socket.destroy();
    throw new Error(`no data connection to port ${port}`, { cause });
  }
  socket.setNoDelay(true);
  return socket;
}
