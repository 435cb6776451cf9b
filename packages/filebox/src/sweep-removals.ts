import type { Database, Transaction } from '@waybill/postgres/database';
import type { BlobStore } from './blob-store.ts';
import { lockOfBlob } from './share-blob.ts';

const batch = 100;

/** Where the list of removals is, and the store whose blobs are on it. */
export interface RemovalSweep {
  db: Database;
  store: BlobStore;
  signal: AbortSignal;
}

/**
 * Removes the blobs on the list of removals that no entry has, and answers how many. One that an entry has, the copy of a
 * file that is gone, is only taken off the list: it comes back with the last of them.
 */
export async function sweepRemovals({ db, store, signal }: RemovalSweep): Promise<number> {
  let total = 0;
  for (let goOn = true; goOn && !signal.aborted;) {
    goOn = await db.transaction(async (trx) => {
      const listed = await takeListed(trx, store);
      const locked = await lockAmong(trx, listed);
      const used = await usedAmong(trx, locked);
      const unused = locked.filter((blobId) => !used.has(blobId));
      for (const blobId of unused) await store.remove(blobId);
      await trx.raw('DELETE FROM filebox.blob_removals WHERE blob_id = ANY (CAST(? AS uuid[]))', [locked]);
      total += unused.length;
      return listed.length === batch && locked.length > 0;
    });
  }
  return total;
}

/** Whoever takes one of these blobs out of the index meanwhile waits, and then puts it on the list again. */
async function takeListed(trx: Transaction, store: BlobStore): Promise<string[]> {
  const waitHours = store.readersOutliveRemoval ? 0 : 24;
  const { rows } = await trx.raw<{ rows: { blob_id: string }[] }>(
    `SELECT blob_id FROM filebox.blob_removals
     WHERE storage_class = ? AND recorded_at <= now() - make_interval(hours => ?)
     ORDER BY recorded_at LIMIT ? FOR UPDATE SKIP LOCKED`,
    [store.storageClass, waitHours, batch],
  );
  return rows.map(({ blob_id: blobId }) => blobId);
}

/** Those that nobody is giving to another file just now. */
async function lockAmong(trx: Transaction, blobIds: string[]): Promise<string[]> {
  const locked: string[] = [];
  for (const blobId of blobIds) {
    const { rows } = await trx.raw<{ rows: { locked: boolean }[] }>(
      `SELECT pg_try_advisory_xact_lock(${lockOfBlob}) AS locked`,
      { blobId },
    );
    if (rows[0]?.locked) locked.push(blobId);
  }
  return locked;
}

/** A statement of its own, so that it sees what became of the entries before the blobs were locked. */
async function usedAmong(trx: Transaction, blobIds: string[]): Promise<Set<string>> {
  const { rows } = await trx.raw<{ rows: { blob_id: string }[] }>(
    'SELECT DISTINCT blob_id FROM filebox.entries WHERE blob_id = ANY (CAST(? AS uuid[]))',
    [blobIds],
  );
  return new Set(rows.map(({ blob_id: blobId }) => blobId));
}
