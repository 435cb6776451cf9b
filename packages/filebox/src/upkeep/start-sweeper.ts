import type { Database } from '@waybill/postgres/database';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { BlobStore } from '../blobs/blob-store.ts';
import { openBlobStores } from '../blobs/open-blob-stores.ts';
import type { StorageClasses } from '../model/storage.ts';
import { attempt, repeatUntilStopped } from './repeat-until-stopped.ts';
import { createUploadReport } from './report-uploads.ts';
import { createUsageReport } from './report-usage.ts';
import { sweepOrphans } from './sweep-orphans.ts';
import { sweepRemovals } from './sweep-removals.ts';
import { sweepUploads } from './sweep-uploads.ts';

/** What the sweeper removes, and how often. */
export interface SweeperOptions {
  db: Database;
  blobDir: string;
  /** Which files are kept where; default: all in `local`. */
  storageClasses?: StorageClasses;
  /** For S3; default: the AWS SDK's credential chain. */
  s3Credentials?: S3Credentials | undefined;
  logger: Logger;
  metrics: Metrics;
  /** Time between sweeps of the index; default: one minute. */
  intervalMs?: number;
  /** Time between walks over all blobs; default: six hours. */
  orphanIntervalMs?: number;
}

/**
 * Frees the space of unreachable data: uploads whose lease was not renewed for a day, blobs of deleted files, and blobs
 * that the index does not contain. Several processes may sweep at the same time.
 */
export async function startSweeper(options: SweeperOptions): Promise<AsyncDisposable> {
  const { db, logger, metrics, intervalMs = 60_000, orphanIntervalMs = 6 * 3_600_000 } = options;
  const stores = await openBlobStores(options);
  const swept = metrics.counter({
    name: 'waybill_filebox_swept_total',
    help: 'Swept leftovers, by kind',
    labels: ['kind'],
  });
  const report = (kind: 'upload' | 'removal' | 'orphan', count: number): void => {
    if (count === 0) return;
    swept.inc({ kind }, count);
    logger.info({ kind, count }, 'swept');
  };
  const reportUsage = createUsageReport({ db, metrics });
  const reportUploads = createUploadReport({ db, metrics });
  const stopping = new AbortController();
  const { signal } = stopping;
  // A store that does not respond does not stop the others.
  const inEachStore = async (sweep: (store: BlobStore) => Promise<void>): Promise<void> => {
    for (const name of await stores.names()) {
      await attempt(logger, async () => sweep(await stores.named(name)), name);
    }
  };
  const every = (pauseMs: number, sweep: () => Promise<void>) => repeatUntilStopped({ pauseMs, signal, logger }, sweep);
  const loops = [
    every(intervalMs, reportUsage),
    every(intervalMs, reportUploads),
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
