import type { Transaction } from '@waybill/postgres/database';

/**
 * The lock of a blob, as SQL, of its id as SQL. Who gives a blob that a file has to another file shares it, who removes a
 * blob has it alone, and each looks at the index while it has the lock: so a blob that is removed is never given to a file
 * again. Deleting and replacing files need no lock, and wait for nobody.
 */
export const lockOfBlob = (blobId: string): string => `hashtextextended('filebox blob ' || CAST(${blobId} AS text), 0)`;

/** Keeps a blob until the transaction ends, if there is a file that has it. */
export async function shareBlob(trx: Transaction, blobId: string): Promise<boolean> {
  await trx.raw(`SELECT pg_advisory_xact_lock_shared(${lockOfBlob(':blobId')})`, { blobId });
  const { rows } = await trx.raw<{ rows: unknown[] }>('SELECT FROM filebox.entries WHERE blob_id = ? LIMIT 1', [
    blobId,
  ]);
  return rows.length > 0;
}
