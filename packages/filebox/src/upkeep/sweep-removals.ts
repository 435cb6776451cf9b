import type { Database } from '@waybill/postgres/database';
import type { BlobStore } from '../blobs/blob-store.ts';
import { lockOldest, takeOffList } from '../blobs/removal-list.ts';

/** The list of removals, and the store of its blobs. */
export interface RemovalSweep {
  db: Database;
  store: BlobStore;
  signal: AbortSignal;
}

/** Removes the blobs on the list of removals that no entry uses, and returns their number. */
export async function sweepRemovals({ db, store, signal }: RemovalSweep): Promise<number> {
  const { storageClass } = store;
  const hours = store.readersOutliveRemoval ? 0 : 24;
  let total = 0;
  for (let goOn = true; goOn && !signal.aborted;) {
    goOn = await db.transaction(async (trx) => {
      const locked = await lockOldest(trx, { storageClass, hours });
      const unused = await takeOffList(trx, locked);
      for (const { blobId } of unused) await store.remove(blobId);
      total += unused.length;
      return locked.length > 0;
    });
  }
  return total;
}
