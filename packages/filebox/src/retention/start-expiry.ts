import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { attempt, repeatUntilStopped } from '../upkeep/repeat-until-stopped.ts';
import { expireFiles, type ExpirySite } from './expire-files.ts';
import { expiriesOf, type RetentionRules } from './expiry.ts';

/** What is deleted, and how often files are looked for. */
export interface ExpiryOptions {
  db: Database;
  retention: RetentionRules;
  site: ExpirySite;
  logger: Logger;
  metrics: Metrics;
  /** Time between sweeps; default: one minute. */
  intervalMs?: number;
}

/**
 * Deletes files when they expire, by the rules of their VFS or by their own date. Several processes may run it; they
 * take turns.
 */
export function startExpiry(options: ExpiryOptions): AsyncDisposable {
  const { db, retention, site, logger, metrics, intervalMs = 60_000 } = options;
  const deleted = metrics.counter({
    name: 'waybill_filebox_expired_total',
    help: 'Files that were deleted because they expired, by reason',
    labels: ['reason'],
  });
  const lastRun = metrics.gauge({
    name: 'waybill_filebox_expiry_last_run_timestamp_seconds',
    help: 'Time of the last sweep for expired files by this process',
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = repeatUntilStopped({ pauseMs: intervalMs, signal, logger }, async () => {
    for (const expiry of expiriesOf(await retention.listRetention())) {
      // A failure in one VFS does not stop the others.
      await attempt(logger, () =>
        expireFiles({
          db,
          site,
          expiry,
          signal,
          onExpired: ({ file: { vfsId, path, fileset, dfic }, reason }) => {
            deleted.inc({ reason: expiry.kind });
            logger.info({ vfsId, path, fileset, dfiid: dfic.dfiid, lcid: dfic.lcid, reason }, 'file expired');
          },
        }),
      );
    }
    lastRun.setToCurrentTime();
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}
