import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { lockOfBlob } from './share-blob.ts';

/** A blob on the list of removals that a transaction has to itself. */
export interface LockedRemoval {
  blobId: string;
  storageClass: string;
}

/** Removals of one transaction at most: so long does it hold what it has locked. */
export const removalsTogether = 100;

/**
 * Locks those of these blobs that are on the list. One that somebody is giving to another file just now, or is putting on
 * the list again, is left out: who takes a locked one out of the index waits until the transaction has ended.
 */
export async function lockListed(trx: Transaction, blobIds: readonly string[]): Promise<LockedRemoval[]> {
  return lock(trx, lockTheseStatement, { blobIds });
}

/** Locks, as `lockListed` does, the oldest on the list of one class of storage that are on it for some hours. */
export async function lockOldest(
  trx: Transaction,
  which: { storageClass: string; hours: number },
): Promise<LockedRemoval[]> {
  return lock(trx, lockOldestStatement, which);
}

/** Takes locked blobs off the list, and answers those that no entry has. One that an entry has comes back with the last of them. */
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

/** The transaction need not be on disk when it ends: what a crash brings back onto the list is removed once more. */
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
 * A statement of its own, so that it sees what became of the entries before the blobs were locked. Each blob is looked for
 * by itself: by the index, even where the plan was made while there were no entries yet.
 */
const takeOffStatement = prepareStatement(
  'filebox take off removals',
  `WITH gone AS (
     DELETE FROM filebox.blob_removals WHERE blob_id = ANY (CAST(:blobIds AS uuid[]))
   )
   SELECT removal.blob_id FROM unnest(CAST(:blobIds AS uuid[])) AS removal (blob_id),
     LATERAL (SELECT FROM filebox.entries e WHERE e.blob_id = removal.blob_id LIMIT 1) AS used`,
);
