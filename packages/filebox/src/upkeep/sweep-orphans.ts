import type { Database } from '@waybill/postgres/database';
import type { BlobStore } from '../blobs/blob-store.ts';

const batch = 500;
const orphanAgeMs = 24 * 3_600_000;

/** The store to walk over, and the index that its blobs are compared with. */
export interface OrphanSweep {
  db: Database;
  store: BlobStore;
  signal: AbortSignal;
}

/** Removes blobs older than a day that the index does not contain, and returns their number. */
export async function sweepOrphans({ db, store, signal }: OrphanSweep): Promise<number> {
  const orphanedBefore = new Date(Date.now() - orphanAgeMs);
  let candidates: string[] = [];
  let swept = 0;
  const flush = async (): Promise<void> => {
    for (const blobId of await unknownAmong(db, candidates)) {
      await store.remove(blobId);
      swept += 1;
    }
    candidates = [];
  };
  for await (const { blobId, modifiedAt } of store.list()) {
    if (signal.aborted) return swept;
    if (modifiedAt < orphanedBefore) candidates.push(blobId);
    if (candidates.length === batch) await flush();
  }
  await flush();
  return swept;
}

async function unknownAmong(db: Database, blobIds: readonly string[]): Promise<string[]> {
  if (blobIds.length === 0) return [];
  const { rows } = await db.raw<{ rows: { blob_id: string }[] }>(
    `SELECT blob_id FROM unnest(CAST(:blobIds AS uuid[])) AS held (blob_id)
     WHERE NOT EXISTS (SELECT FROM filebox.entries e WHERE e.blob_id = held.blob_id)
       AND NOT EXISTS (SELECT FROM filebox.uploads u WHERE u.blob_id = held.blob_id)
       AND NOT EXISTS (SELECT FROM filebox.blob_removals r WHERE r.blob_id = held.blob_id)`,
    { blobIds },
  );
  return rows.map(({ blob_id: blobId }) => blobId);
}
