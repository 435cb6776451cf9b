import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { lockOfBlob } from './share-blob.ts';

/** A blob on the list of removals that a transaction has locked. */
export interface LockedRemoval {
  blobId: string;
  storageClass: string;
}

/** The limit of removals in one transaction, which bounds how long it holds its locks. */
export const removalsTogether = 100;

/**
 * Locks the blobs that are on the list. A blob that another transaction is giving to another file, or is putting on the
 * list again, is left out: a transaction that removes a locked blob from the index waits until this one has ended.
 */
export async function lockListed(trx: Transaction, blobIds: readonly string[]): Promise<LockedRemoval[]> {
  return lock(trx, lockTheseStatement, { blobIds });
}

/** Locks, like `lockListed`, the oldest blobs of one class of storage that have been on the list for some hours. */
export async function lockOldest(
  trx: Transaction,
  which: { storageClass: string; hours: number },
): Promise<LockedRemoval[]> {
  return lock(trx, lockOldestStatement, which);
}

/**
 * Takes locked blobs off the list, and returns those that no entry uses. A blob that an entry uses comes back to the
 * list with the last such entry.
 */
export async function takeOffList(trx: Transaction, removals: readonly LockedRemoval[]): Promise<LockedRemoval[]> {
  const blobIds = removals.map(({ blobId }) => blobId);
  const rows = await runPrepared<{ blob_id: string }>(trx, takeOffStatement, { blobIds });
  const used = new Set(rows.map(({ blob_id: blobId }) => blobId));
  return removals.filter(({ blobId }) => !used.has(blobId));
}

async function lock(
  trx: Transaction,
  statement: PreparedStatement,
  bindings: Readonly<Record<string, unknown>>,
): Promise<LockedRemoval[]> {
  const rows = await runPrepared<{ blob_id: string; storage_class: string; locked: boolean }>(trx, statement, bindings);
  return rows
    .filter(({ locked }) => locked)
    .map(({ blob_id: blobId, storage_class: storageClass }) => ({ blobId, storageClass }));
}

/** The transaction commits asynchronously: what a crash brings back onto the list is removed once more. */
const lockSql = (which: string): string => `
  WITH listed AS MATERIALIZED (
    SELECT blob_id, storage_class FROM filebox.blob_removals WHERE ${which} FOR UPDATE SKIP LOCKED
  )
  SELECT blob_id, storage_class, pg_try_advisory_xact_lock(${lockOfBlob('blob_id')}) AS locked
  FROM listed, set_config('synchronous_commit', 'off', true)`;

const lockTheseStatement = prepareStatement(
  'filebox lock removals',
  lockSql('blob_id = ANY (CAST(:blobIds AS uuid[]))'),
);

const lockOldestStatement = prepareStatement(
  'filebox lock oldest removals',
  lockSql(`storage_class = :storageClass AND recorded_at <= now() - make_interval(hours => :hours)
    ORDER BY recorded_at LIMIT ${removalsTogether}`),
);

/**
 * A separate statement, so that it sees the entries as they were changed before the blobs were locked. Each blob is
 * looked up separately: this uses the index even if the plan was made while the table was empty.
 */
const takeOffStatement = prepareStatement(
  'filebox take off removals',
  `WITH gone AS (
     DELETE FROM filebox.blob_removals WHERE blob_id = ANY (CAST(:blobIds AS uuid[]))
   )
   SELECT removal.blob_id FROM unnest(CAST(:blobIds AS uuid[])) AS removal (blob_id),
     LATERAL (SELECT FROM filebox.entries e WHERE e.blob_id = removal.blob_id LIMIT 1) AS used`,
);
