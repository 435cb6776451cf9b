import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';

/** The right of a user to an upload or a download. It may be withdrawn while that runs, which ends it. */
export interface TransferRight extends Disposable {
  /** Fires when the right is withdrawn; the reason is the CodedError that every later call fails with. */
  readonly signal: AbortSignal;
  /**
   * A condition of SQL that the statement which commits an upload has to meet: true while the right is what it was when it
   * was judged last. One object for one text; its parameters are those of `bindings`, written as `:name`.
   */
  readonly condition: { readonly name: string; readonly sql: string };
  bindings(): Readonly<Record<string, unknown>>;
  /** Judges the right again when the condition is not met. @throws CodedError when it is withdrawn */
  renew(on: Queryable): Promise<void>;
}

/** Disposes of a right when the transfer that was to have it cannot begin. */
export async function releaseOnFailure<T>(right: TransferRight | undefined, begin: () => Promise<T>): Promise<T> {
  try {
    right?.signal.throwIfAborted();
    return await begin();
  } catch (error) {
    right?.[Symbol.dispose]();
    throw error;
  }
}

/** Whether something failed because its right was withdrawn. */
export function isWithdrawal(right: TransferRight | undefined, error: unknown): boolean {
  return right !== undefined && right.signal.aborted && right.signal.reason === error;
}

/** Whether another try, at another time, may not meet a failure again. */
export function isPassing(failure: unknown, right: TransferRight | undefined): boolean {
  return !isCodedError(failure) || isCodedError(failure, 'service_unavailable') || isWithdrawal(right, failure);
}
