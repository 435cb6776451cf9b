import type { Database, Transaction } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/logger';
import type { BlobStores } from './blob-stores.ts';
import type { CommitObserver } from './commit-step.ts';
import { lockOfBlob } from './share-blob.ts';

/** Removes blobs that a committed transaction has put on the list of removals. */
export interface BlobRemover {
  /** Removes it in the background, if a reader that has it open can read on; otherwise the sweeper does so later. */
  removeSoon(blobId: string): void;
  /** Answers when nothing is being removed any more. */
  settle(): Promise<void>;
}

/** A remover. What it cannot remove stays on the list for the sweeper. */
export function createBlobRemover(parts: {
  db: Database;
  stores: BlobStores;
  logger: Logger;
  observe: CommitObserver;
}): BlobRemover {
  const { db, stores, logger, observe } = parts;
  const running = new Set<Promise<void>>();
  const removeIfUnused = (blobId: string): Promise<boolean> =>
    db.transaction(async (trx) => {
      const store = await lockListed(trx, blobId);
      if (!store?.readersOutliveRemoval) return false;
      const { rowCount } = await trx.raw<{ rowCount: number }>(
        `DELETE FROM filebox.blob_removals r
         WHERE blob_id = ? AND NOT EXISTS (SELECT FROM filebox.entries e WHERE e.blob_id = r.blob_id)`,
        [blobId],
      );
      if (rowCount === 0) return false;
      await store.remove(blobId);
      await observe('replacedBlobRemoved');
      return true;
    });
  const lockListed = async (trx: Transaction, blobId: string) => {
    const { rows } = await trx.raw<{ rows: { storage_class: string }[] }>(
      `SELECT storage_class FROM filebox.blob_removals
       WHERE blob_id = :blobId AND pg_try_advisory_xact_lock(${lockOfBlob})`,
      { blobId },
    );
    return rows[0] && stores.named(rows[0].storage_class);
  };
  const remove = async (blobId: string): Promise<void> => {
    try {
      if (await removeIfUnused(blobId)) await observe('removalForgotten');
    } catch (error) {
      logger.warn({ err: error, blobId }, 'a blob could not be removed: the sweeper will');
    }
  };
  return {
    removeSoon: (blobId) => {
      const removal = remove(blobId).finally(() => running.delete(removal));
      running.add(removal);
    },
    settle: async () => {
      await Promise.all(running);
    },
  };
}
