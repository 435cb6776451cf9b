import type { Database, Transaction } from '@waybill/postgres/database';
import { indexError, isTransient } from './index-error.ts';

/**
 * A retry meets another transaction only if that one succeeded; of callers that keep renaming other files to one name,
 * each loses about every third attempt.
 */
const triesAtMost = 20;

/**
 * Runs work as one transaction, and repeats it if another one interfered. Rows are locked in the order of their ids, so
 * that deadlocks are rare; they are repeated too.
 * @throws CodedError `path_not_found` if the folder to put something in was deleted; the errors of limits
 */
export function transact<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return repeatWhenHindered(() => db.transaction(work));
}

/** Like `transact`, for work that is already one transaction, such as a single statement. */
export async function repeatWhenHindered<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === triesAtMost || !isTransient(error)) throw indexError(error);
    }
  }
}
