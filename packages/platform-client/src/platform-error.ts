import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { type ErrorCode, errorCodes } from '@waybill/contracts/errors/error-codes';

/** Failures that the client finds without an answer of the platform, or that the answer does not explain. */
const localRemedies = {
  unreachable: 'Check the address, the network and whether the platform runs.',
  certificate_not_trusted:
    "Name the certificate of the installation's authority, and an address that its certificate has.",
  timed_out: 'Try again later, or allow more time.',
  interrupted: 'Try again: transfers resume where they were interrupted.',
  answer_unreadable: 'Check the address: another program may have answered, or a platform of another release.',
  file_unusable: 'Give the path of a file of this machine.',
  content_differs: 'Transfer the file again; it may have changed meanwhile.',
} as const;

/** A failure that the client itself finds. */
export type LocalErrorCode = keyof typeof localRemedies;

/** What an error says besides its sentence. */
interface PlatformErrorFacts {
  readonly code: ErrorCode | LocalErrorCode;
  readonly status?: number | undefined;
  readonly fields?: readonly Readonly<FieldError>[] | undefined;
  readonly requestId?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The one error of this package. `message` is one sentence for people, `code` is stable and for programs, `status` is that of
 * HTTP if the platform has answered, `fields` are those of the request that are wrong.
 */
export class PlatformError extends Error {
  override readonly name = 'PlatformError';
  readonly code: ErrorCode | LocalErrorCode;
  readonly status: number | undefined;
  readonly fields: readonly Readonly<FieldError>[];
  /** The id of the request in the logs of the platform. */
  readonly requestId: string | undefined;
  /** How long the platform asks to wait. */
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, facts: PlatformErrorFacts) {
    super(message, 'cause' in facts ? { cause: facts.cause } : {});
    this.code = facts.code;
    this.status = facts.status;
    this.fields = facts.fields ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }

  /** What to do about it, in one sentence. */
  get remedy(): string {
    return isLocal(this.code) ? localRemedies[this.code] : errorCodes[this.code].remedy;
  }
}

function isLocal(code: ErrorCode | LocalErrorCode): code is LocalErrorCode {
  return Object.hasOwn(localRemedies, code);
}

/** True if `error` is a `PlatformError` with one of these codes, or with any code if no codes are given. */
export function isPlatformError(error: unknown, ...codes: readonly PlatformError['code'][]): error is PlatformError {
  return error instanceof PlatformError && (codes.length === 0 || codes.includes(error.code));
}
