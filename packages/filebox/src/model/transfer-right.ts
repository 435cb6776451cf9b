import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Queryable } from '@waybill/postgres/database';

/** A user's right to an upload or a download. If it is withdrawn during the transfer, the transfer ends. */
export interface TransferRight extends Disposable {
  /** Fires when the right is withdrawn; the reason is the CodedError that every later call fails with. */
  readonly signal: AbortSignal;
  /**
   * An SQL condition that the statement which commits an upload checks: true while the right is unchanged since its
   * last evaluation. Use one object for one text; its parameters are those of `bindings`, written as `:name`.
   */
  readonly condition: { readonly name: string; readonly sql: string };
  bindings(): Readonly<Record<string, unknown>>;
  /** Evaluates the right again after the condition failed. @throws CodedError if it is withdrawn */
  renew(on: Queryable): Promise<void>;
}

/** Disposes of a right if its transfer cannot begin. */
export async function releaseOnFailure<T>(right: TransferRight | undefined, begin: () => Promise<T>): Promise<T> {
  try {
    right?.signal.throwIfAborted();
    return await begin();
  } catch (error) {
    right?.[Symbol.dispose]();
    throw error;
  }
}

/** Whether a failure was caused by the withdrawal of its right. */
export function isWithdrawal(right: TransferRight | undefined, error: unknown): boolean {
  return right !== undefined && right.signal.aborted && right.signal.reason === error;
}

/** Whether another attempt, at another time, may succeed. */
export function isPassing(failure: unknown, right: TransferRight | undefined): boolean {
  return !isCodedError(failure) || isCodedError(failure, 'service_unavailable') || isWithdrawal(right, failure);
}
