import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { BlobStores } from './blob-store.ts';
import { lockListed, removalsTogether, takeOffList, type LockedRemoval } from './removal-list.ts';
import type { CommitObserver } from './upload-step.ts';

/** Removes blobs that a committed transaction has put on the list of removals. */
export interface BlobRemover {
  /** Removes it in the background if open readers survive that; otherwise the sweeper removes it later. */
  removeSoon(blobId: string): void;
  /** Resolves when there is nothing left to remove. */
  settle(): Promise<void>;
}

/** How long the first removal waits for others: they share the cost of a transaction. */
const gatherMs = 100;

/** Creates a remover. What it cannot remove stays on the list for the sweeper. */
export function createBlobRemover(parts: {
  db: Database;
  stores: BlobStores;
  logger: Logger;
  observe: CommitObserver;
}): BlobRemover {
  const { db, stores, logger, observe } = parts;
  const waiting: string[] = [];
  const settling = new AbortController();
  let running: Promise<void> | undefined;

  const removeUnused = (blobIds: readonly string[]): Promise<boolean> =>
    db.transaction(async (trx) => {
      const removable = await removableOf(stores, await lockListed(trx, blobIds));
      const unused = await takeOffList(trx, removable);
      for (const { blobId, storageClass } of unused) await (await stores.named(storageClass)).remove(blobId);
      if (unused.length > 0) await observe('replacedBlobRemoved');
      return unused.length > 0;
    });
  const remove = async (blobIds: readonly string[]): Promise<void> => {
    try {
      if (await removeUnused(blobIds)) await observe('removalForgotten');
    } catch (error) {
      logger.warn({ err: error, blobIds }, 'blobs could not be removed and are left to the sweeper');
    }
  };
  const removeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      if (waiting.length < removalsTogether) await sleep(gatherMs, undefined, settling).catch(() => {});
      await remove(waiting.splice(0, removalsTogether));
    }
    running = undefined;
  };
  return {
    removeSoon: (blobId) => {
      waiting.push(blobId);
      running ??= removeWaiting();
    },
    settle: async () => {
      settling.abort();
      await running;
    },
  };
}

async function removableOf(stores: BlobStores, locked: readonly LockedRemoval[]): Promise<LockedRemoval[]> {
  const removable: LockedRemoval[] = [];
  for (const removal of locked) {
    if ((await stores.named(removal.storageClass)).readersOutliveRemoval) removable.push(removal);
  }
  return removable;
}
