import { errorCodes, type ErrorCode } from './error-codes.ts';

/**
 * One field of a request or a configuration that is wrong: `field` is its path (`actionVariables.name`), `message` says why.
 * `index`: the character of the field's text that is wrong, from 0, if one is. `line` and `column`: where the field is in a
 * document, from 1.
 */
export interface FieldError {
  field: string;
  message: string;
  index?: number | undefined;
  line?: number | undefined;
  column?: number | undefined;
}

/** What a `CodedError` may contain besides its code. */
export interface CodedErrorOptions {
  /** A sentence that names the affected object; by default the code's title. Shown to the caller. */
  detail?: string;
  /** Names in the text of the response, such as `{ file: 'a.csv' }`. Shown to the caller. */
  names?: Readonly<Record<string, string>>;
  /** The wrong fields of a request or a configuration. Shown to the caller. */
  fields?: readonly FieldError[];
  /** The cause. Logged, never shown. */
  cause?: unknown;
}

/**
 * An expected failure, which is reported to the caller. Any other thrown error is a bug: it is logged with its
 * stack, and the response is `internal_error` without its message.
 */
export class CodedError extends Error {
  override readonly name = 'CodedError';
  readonly code: ErrorCode;
  readonly names: Readonly<Record<string, string>>;
  readonly fields: readonly FieldError[];

  constructor(code: ErrorCode, options: CodedErrorOptions = {}) {
    super(options.detail ?? errorCodes[code].title, 'cause' in options ? { cause: options.cause } : {});
    this.code = code;
    this.names = options.names ?? {};
    this.fields = options.fields ?? [];
  }
}

/** True if `error` is a `CodedError` with one of these codes, or with any code if no codes are given. */
export function isCodedError(error: unknown, ...codes: readonly ErrorCode[]): error is CodedError {
  return error instanceof CodedError && (codes.length === 0 || codes.includes(error.code));
}
