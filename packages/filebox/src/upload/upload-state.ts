import { CodedError } from '@waybill/contracts/errors/coded-error';

/** The phase of an upload: `open` changes once, to one of the others, and `committing` to `committed` or `failed`. */
type UploadPhase = 'open' | 'committing' | 'committed' | 'suspended' | 'discarded' | 'failed';

/** The state of an upload: its phase, and the first error of all its calls. */
export class UploadState {
  readonly #onFailed: (error: unknown) => void;
  #phase: UploadPhase = 'open';
  #firstError: { readonly error: unknown } | undefined;

  /** `onFailed` is called when a failure ends an open upload. */
  constructor(onFailed: (error: unknown) => void) {
    this.#onFailed = onFailed;
  }

  get isOpen(): boolean {
    return this.#phase === 'open';
  }

  get hasFailed(): boolean {
    return this.#firstError !== undefined;
  }

  /** Every call except an end starts with it. @throws the first error, or CodedError `upload_incomplete` */
  assertOpen(): void {
    if (this.#phase === 'open') return;
    this.assertIntact();
    throw new CodedError('upload_incomplete', { detail: 'The upload has ended' });
  }

  /** @throws the first error */
  assertIntact(): void {
    if (this.#firstError) throw this.#firstError.error;
  }

  enter(phase: Exclude<UploadPhase, 'open'>): void {
    this.#phase = phase;
  }

  /**
   * Notes an error, which ends the upload unless it is already ending. Returns the first error, which every later call
   * fails with.
   */
  fail(error: unknown): unknown {
    this.#firstError ??= { error };
    if (this.#phase === 'open') {
      this.#phase = 'failed';
      this.#onFailed(error);
    }
    return this.#firstError.error;
  }
}
