import type { Database, Transaction } from '@waybill/postgres/database';
import { indexError, isTransient } from './index-error.ts';

/** Whoever was in the way has got on; of those who keep giving one name to other files, each loses every third try or so. */
const triesAtMost = 20;

/**
 * Runs work as one transaction, again when another one was in its way. Rows are locked in the order of their ids, which
 * leaves deadlocks to the unforeseen; they end here too.
 * @throws CodedError `path_not_found` when the folder vanished in which something was to be put; what a limit refuses
 */
export function transact<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  return repeatWhenHindered(() => db.transaction(work));
}

/** As `transact`, for work that is one transaction already, such as a single statement. */
export async function repeatWhenHindered<T>(work: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await work();
    } catch (error) {
      if (tried === triesAtMost || !isTransient(error)) throw indexError(error);
    }
  }
}
