import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type Client, FTPError } from 'basic-ftp';
import type { Scrub } from '../peer/scrub-secrets.ts';

/** A control connection that has logged in, with what calls over it need. */
export interface FtpsCalls {
  /** Of the connection, for messages. */
  readonly name: string;
  readonly client: Client;
  readonly scrub: Scrub;
}

/** The reply for a file that does not exist, or that may not be used (RFC 959, section 4.2). */
export const fileUnavailable = 550;

/**
 * Calls the server. An abort closes the connection: a reply that comes later could be taken for that of another call.
 * @throws CodedError `remote_refused` (a reply 5xx), `connection_failed` (anything else); the signal's reason
 */
export async function callFtps<T>(
  { name, client, scrub }: FtpsCalls,
  what: string,
  { signal, start }: { signal: AbortSignal; start: () => Promise<T> },
): Promise<T> {
  signal.throwIfAborted();
  const onAbort = (): void => client.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await start();
  } catch (error) {
    signal.throwIfAborted();
    throw ftpsFailure({ name, scrub }, what, error);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** The code of the server's reply in an error of a call. */
export function replyOf(error: unknown): number | undefined {
  const cause = error instanceof CodedError ? error.cause : error;
  return cause instanceof RefusedByFtps ? cause.reply : undefined;
}

/** The words of the server, without what it must not echo into logs. */
class RefusedByFtps extends Error {
  override readonly name = 'RefusedByFtps';
  readonly reply: number;

  constructor(message: string, reply: number) {
    super(message);
    this.reply = reply;
  }
}

/** What a failed call means to a task. */
export function ftpsFailure(
  { name, scrub }: Pick<FtpsCalls, 'name' | 'scrub'>,
  what: string,
  error: unknown,
): CodedError {
  if (error instanceof CodedError) return error;
  const text = scrub.line(error instanceof Error ? error.message : 'it failed');
  const detail = `${name}: ${scrub.line(what)}: ${text}`;
  if (!(error instanceof FTPError)) return new CodedError('connection_failed', { detail, cause: new Error(text) });
  const cause = new RefusedByFtps(text, error.code);
  return new CodedError(error.code >= 500 ? 'remote_refused' : 'connection_failed', { detail, cause });
}
