import { once } from 'node:events';
import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DestinationGuard } from './destination-guard.ts';

/** A host and a port to connect to. */
export interface Destination {
  readonly host: string;
  readonly port: number;
}

/**
 * Opens a TCP connection to a checked address of the host. The name is resolved once, so that its owner cannot have one address
 * checked and another one connected to. The caller bounds the time by `signal`.
 * @throws CodedError `destination_refused`, `connection_failed`; the signal's reason
 */
export async function openSocket(
  guard: DestinationGuard,
  { host, port }: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const addresses = await abortable(guard.addressesOf(host), signal);
  signal.throwIfAborted();
  const lookup: LookupFunction = (_name, _options, callback) => {
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    );
  };
  // Node.js tries the addresses one after the other (RFC 8305); the name only stands in its errors.
  const socket = connect({ host: 'checked.invalid', port, lookup, autoSelectFamily: true });
  try {
    await once(socket, 'connect', { signal });
  } catch (cause) {
    socket.destroy();
    signal.throwIfAborted();
    throw new CodedError('connection_failed', {
      detail: `${host}:${port} cannot be reached (${codeOf(cause)})`,
      cause,
    });
  }
  socket.setNoDelay(true);
  socket.setKeepAlive(true, 30_000);
  return socket;
}

/** What `promise` resolves to, unless the signal is aborted before. */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  // Nobody waits for it once the race is over.
  aborted.catch(() => {});
  const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The code of a system error, such as ECONNREFUSED; of several attempts that of the last. */
export function codeOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors.at(-1));
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  return 'unknown reason';
}
