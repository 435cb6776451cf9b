import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls, type SecureContextOptions } from 'node:tls';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from './destination-guard.ts';
import { codeOf, type Destination, openSocket } from './open-socket.ts';

/** How a stream is opened. */
export interface StreamOptions {
  readonly guard: DestinationGuard;
  /** For the name, the connection and the TLS handshake together. */
  readonly timeoutMs: number;
  /** With TLS 1.2 or later, whose certificate is verified for the host; `undefined` without TLS. */
  readonly tls?: Pick<SecureContextOptions, 'ca' | 'cert' | 'key'> | undefined;
}

/**
 * Opens a connection to a checked address of the host, with or without TLS.
 * @throws CodedError `destination_refused`, `connection_failed`
 */
export async function openStream({ host, port }: Destination, options: StreamOptions): Promise<Duplex> {
  const { guard, timeoutMs, tls } = options;
  const signal = AbortSignal.timeout(timeoutMs);
  const inTime = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (!signal.aborted) throw cause;
      const detail = `${host}:${port}: no connection within ${timeoutMs / 1_000} s`;
      throw new CodedError('connection_failed', { detail, cause });
    }
  };
  const socket = await inTime(openSocket(guard, { host, port }, signal));
  if (!tls) return socket;
  // A server name is a name (RFC 6066, section 3); an address is compared with the certificate only.
  const names = { host, servername: isIP(host) === 0 ? host : '' };
  const secure = connectTls({ ...tls, socket, ...names, minVersion: 'TLSv1.2' });
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  signal.addEventListener('abort', () => reject(new Error('timeout')), { once: true });
  secure.once('secureConnect', () => resolve(secure));
  secure.once('error', reject);
  try {
    return await inTime(promise);
  } catch (cause) {
    secure.destroy();
    if (cause instanceof CodedError) throw cause;
    throw new CodedError('connection_failed', { detail: `${host}:${port}: TLS fails (${codeOf(cause)})`, cause });
  }
}
