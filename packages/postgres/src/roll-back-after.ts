import type { Database, Transaction } from './database.ts';

/**
 * Does `work` in a transaction that is rolled back in any case, and returns what it has found out. `executionPromise` of the
 * transaction is rejected, so that what waits for the commit learns that there is none: after `rollback()` without an error,
 * knex would fulfil it.
 */
export async function rollBackAfter<T>(db: Database, work: (trx: Transaction) => Promise<T>): Promise<T> {
  const isDone = new Error('rolled back after its work');
  const { promise, resolve } = Promise.withResolvers<T>();
  try {
    return await db.transaction<never>(async (trx) => {
      resolve(await work(trx));
      throw isDone;
    });
  } catch (error) {
    if (error !== isDone) throw error;
    return await promise;
  }
}
