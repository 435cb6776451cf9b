import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Scrub } from '../peer/scrub-secrets.ts';

/** What calls over one channel have in common. */
export interface SftpCallLimits {
  /** Of the connection, for messages. */
  readonly name: string;
  /** How long a call may take. */
  readonly idleMs: number;
  readonly scrub: Scrub;
  /** Aborted when the connection has ended: no call will be answered any more. */
  readonly ended: AbortSignal;
  /** Ends the connection: an answer to a call that was given up could be taken for another one's. */
  close(): void;
}

/** The status codes of SFTP version 3 that tasks distinguish. */
export const sftpStatus = { noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 } as const;

/** The callback of a call: an error, or the result. */
export type SftpCallback<T> = (error: Error | null | undefined, result?: T) => void;

/**
 * Calls the server and waits for its answer. A server that does not answer in time loses the connection.
 * @throws CodedError `remote_refused` (the server refuses: no such file, no permission), `connection_failed` (anything else);
 * the signal's reason
 */
export async function callSftp<T>(
  { name, idleMs, scrub, ended, close }: SftpCallLimits,
  what: string,
  { signal, start }: { signal: AbortSignal; start: (done: SftpCallback<T>) => void },
): Promise<T | undefined> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => {
    reject(new CodedError('connection_failed', { detail: `${name}: no answer to ${what} within ${idleMs / 1_000} s` }));
    close();
  }, idleMs);
  const onAbort = (): void => {
    reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
    close();
  };
  const onEnd = (): void => reject(new CodedError('connection_failed', { detail: `${name}: the connection was lost` }));
  signal.addEventListener('abort', onAbort, { once: true });
  ended.addEventListener('abort', onEnd, { once: true });
  try {
    if (ended.aborted) onEnd();
    else start((error, result) => (error ? reject(error) : resolve(result)));
    return await promise;
  } catch (error) {
    if (error instanceof CodedError || signal.aborted) throw error;
    throw remoteError(name, scrub.line(what), foreignError(error, scrub));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    ended.removeEventListener('abort', onEnd);
  }
}

/** The status code in an error of ssh2. */
export function statusOf(error: unknown): number | undefined {
  const cause = error instanceof CodedError ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
}

/** The status and the words of the server, without what it must not echo into logs. */
function foreignError(error: unknown, scrub: Scrub): Error {
  const reason = new Error(scrub.line(error instanceof Error ? error.message : 'it failed'));
  return Object.assign(reason, { code: statusOf(error) });
}

function remoteError(name: string, what: string, cause: Error): CodedError {
  const status = statusOf(cause);
  if (status === sftpStatus.noSuchFile) {
    return new CodedError('remote_refused', { detail: `${name}: ${what}: there is no such file or folder`, cause });
  }
  if (status === sftpStatus.permissionDenied || status === sftpStatus.unsupported) {
    return new CodedError('remote_refused', { detail: `${name}: ${what}: the server does not permit it`, cause });
  }
  return new CodedError('connection_failed', { detail: `${name}: ${what}: ${cause.message}`, cause });
}
