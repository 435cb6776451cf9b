import type { Database } from '@waybill/postgres/database';
import type { S3Credentials } from '@waybill/service-kit/config/storage-config';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { BlobStore } from '../blobs/blob-store.ts';
import { openBlobStores } from '../blobs/open-blob-stores.ts';
import type { StorageClasses } from '../model/storage-classes.ts';
import { attempt, repeatUntilStopped } from './repeat-until-stopped.ts';
import { createUsageReport } from './report-usage.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { sweepRemovals } from './sweep-removals.ts';
import { sweepUploads } from './sweep-uploads.ts';

/** What is swept, and how often. */
export interface SweeperOptions {
  db: Database;
  blobDir: string;
  /** Where which files are kept; in `local` alone when absent. */
  storageClasses?: StorageClasses;
  /** For S3; found as the AWS SDK finds them when absent. */
  s3Credentials?: S3Credentials | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Between looks at the index; a minute by default. */
  intervalMs?: number;
  /** Between walks over all blobs; six hours by default. */
  orphanIntervalMs?: number;
}

/**
 * Gives back the room of what nobody can reach any more: uploads without a sign of life for a day, blobs whose files are
 * gone, and blobs that the index does not know. Several processes may sweep; they keep out of each other's way.
 */
export async function startSweeper(options: SweeperOptions): Promise<AsyncDisposable> {
  const { db, logger, metrics, intervalMs = 60_000, orphanIntervalMs = 6 * 3_600_000 } = options;
  const stores = await openBlobStores(options);
  const swept = metrics.counter({
    name: 'waybill_filebox_swept_total',
    help: 'Leftovers that were swept, by their kind',
    labels: ['kind'],
  });
  const report = (kind: 'upload' | 'removal' | 'orphan', count: number): void => {
    if (count === 0) return;
    swept.inc({ kind }, count);
    logger.info({ kind, count }, 'swept');
  };
  const reportUsage = createUsageReport({ db, metrics });
  const stopping = new AbortController();
  const { signal } = stopping;
  // One that does not answer holds up none of the others.
  const inEachStore = async (sweep: (store: BlobStore) => Promise<void>): Promise<void> => {
    for (const name of await stores.names()) {
      await attempt(logger, async () => sweep(await stores.named(name)), name);
    }
  };
  const every = (pauseMs: number, sweep: () => Promise<void>) => repeatUntilStopped({ pauseMs, signal, logger }, sweep);
  const loops = [
    every(intervalMs, reportUsage),
    every(intervalMs, async () => {
      report('upload', await sweepUploads({ db, signal }));
      await inEachStore(async (store) => report('removal', await sweepRemovals({ db, store, signal })));
    }),
    every(orphanIntervalMs, () =>
      inEachStore(async (store) => report('orphan', await sweepOrphans({ db, store, signal }))),
    ),
  ];
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all(loops);
      await stores[Symbol.asyncDispose]();
    },
  };
}
