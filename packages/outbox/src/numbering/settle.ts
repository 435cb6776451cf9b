import type { Queryable, Transaction } from '@waybill/postgres/database';
import type { TakenNumbers } from './event-run.ts';

/**
 * Settles numbers of which `made` were appended: at once, if the statement was a transaction, or when the transaction
 * ends that it is part of. If the outcome of a commit is unknown, they are voided: a voided number may have an event.
 */
export function settle(on: Queryable, numbers: TakenNumbers, made: number): void {
  if (made === 0) numbers.voided();
  else if (isTransaction(on)) {
    on.executionPromise.then(
      () => numbers.committed(made),
      () => numbers.voided(),
    );
  } else numbers.committed(made);
}

/** Whether the statement is part of a transaction. */
export function isTransaction(on: Queryable): on is Transaction {
  return on.isTransaction === true;
}
