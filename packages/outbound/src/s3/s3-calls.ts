import { type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { CircuitBreaker } from '../limits/circuit-breaker.ts';
import type { Scrub } from '../peer/scrub-secrets.ts';

/** The bucket of a connection, with what calls to it need. */
export interface S3Calls {
  /** Of the connection, for messages. */
  readonly name: string;
  readonly client: S3Client;
  readonly bucket: string;
  readonly scrub: Scrub;
  readonly breaker: CircuitBreaker;
}

/** The answers that callers distinguish, as statuses of HTTP. */
export const s3Status = {
  missing: 404,
  conflict: 409,
  failedCondition: 412,
  beyondEnd: 416,
  unsupported: 501,
} as const;

/** Refusals that a repetition can turn into a success, besides the statuses from 500 on. */
const temporaryStatuses: ReadonlySet<number> = new Set([408, 421, 425, 429]);
const temporaryNames: ReadonlySet<string> = new Set([
  'BadDigest',
  'RequestTimeout',
  'RequestTimeTooSkewed',
  'SlowDown',
]);

/**
 * Calls the server.
 * @throws CodedError `remote_refused`, `connection_failed`, `destination_refused`, `connection_suspended`; the signal's reason
 */
export async function callS3<T>(
  calls: S3Calls,
  what: string,
  { signal, start }: { signal: AbortSignal; start: (options: { abortSignal: AbortSignal }) => Promise<T> },
): Promise<T> {
  signal.throwIfAborted();
  const outcome = await calls.breaker.attempt(async () => {
    try {
      return { value: await start({ abortSignal: signal }) };
    } catch (error) {
      signal.throwIfAborted();
      const failure = s3Failure(calls, what, error);
      // A server that answers is alive, whatever it answers.
      if (s3StatusOf(failure) !== undefined) return { failure };
      throw failure;
    }
  });
  if ('failure' in outcome) throw outcome.failure;
  return outcome.value;
}

/** The status in an error of a call. */
export function s3StatusOf(error: unknown): number | undefined {
  const cause = error instanceof CodedError ? error.cause : error;
  return cause instanceof RefusedByS3 ? cause.status : undefined;
}

/** The words of the server, without what it must not echo into logs. */
class RefusedByS3 extends Error {
  override readonly name = 'RefusedByS3';
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** What a failed call, or a failed content, means to a task. */
export function s3Failure({ name, scrub }: Pick<S3Calls, 'name' | 'scrub'>, what: string, error: unknown): CodedError {
  const own = codedIn(error);
  if (own) return own;
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
  const kind = error instanceof Error ? error.name : 'Error';
  const text = error instanceof Error ? error.message : 'it failed';
  const cause = new RefusedByS3(scrub.line(text === '' || text === kind ? kind : `${kind}: ${text}`), status);
  const isFinal = status !== undefined && status >= 300 && status < 500 && status !== s3Status.conflict;
  const isTemporary = !isFinal || temporaryStatuses.has(status) || temporaryNames.has(kind);
  const shown = status === undefined ? cause.message : `status ${status} (${cause.message})`;
  const detail = `${name}: ${scrub.line(what)}: ${shown}`;
  return new CodedError(isTemporary ? 'connection_failed' : 'remote_refused', { detail, cause });
}

/** An error of this side, such as a refused destination, that the SDK may have wrapped. */
function codedIn(error: unknown, depth = 0): CodedError | undefined {
  if (error instanceof CodedError) return error;
  return error instanceof Error && depth < 5 ? codedIn(error.cause, depth + 1) : undefined;
}
