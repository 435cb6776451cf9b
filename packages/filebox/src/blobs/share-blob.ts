import type { Transaction } from '@waybill/postgres/database';

/**
 * The lock of a blob, as SQL, from its id as SQL. A transaction that gives the blob of a file to another file takes it
 * shared, one that removes a blob takes it exclusively, and each reads the index while it holds the lock: so a removed
 * blob is never given to a file again. Deleting and replacing files need no lock, and never wait.
 */
export const lockOfBlob = (blobId: string): string => `hashtextextended('filebox blob ' || CAST(${blobId} AS text), 0)`;

/** Protects a blob from removal until the transaction ends, if a file uses it. */
export async function shareBlob(trx: Transaction, blobId: string): Promise<boolean> {
  await trx.raw(`SELECT pg_advisory_xact_lock_shared(${lockOfBlob(':blobId')})`, { blobId });
  const { rows } = await trx.raw<{ rows: unknown[] }>('SELECT FROM filebox.entries WHERE blob_id = ? LIMIT 1', [
    blobId,
  ]);
  return rows.length > 0;
}
