import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { attempt, repeatUntilStopped } from '../upkeep/repeat-until-stopped.ts';
import { expireFiles, type ExpirySite } from './expire-files.ts';
import { expiriesOf } from './expiry.ts';
import type { RetentionRules } from './retention-rules.ts';

/** What is to be deleted, and how often it is looked for. */
export interface ExpiryOptions {
  db: Database;
  retention: RetentionRules;
  site: ExpirySite;
  logger: Logger;
  metrics: Metrics;
  /** Between looks; a minute by default. */
  intervalMs?: number;
}

/**
 * Deletes files when their time has come: by the rules of their VFS, or by a date of their own. Several processes may do
 * so; they take turns.
 */
export function startExpiry(options: ExpiryOptions): AsyncDisposable {
  const { db, retention, site, logger, metrics, intervalMs = 60_000 } = options;
  const deleted = metrics.counter({
    name: 'waybill_filebox_expired_total',
    help: 'Files that were deleted because their time had come, by the reason',
    labels: ['reason'],
  });
  const lastRun = metrics.gauge({
    name: 'waybill_filebox_expiry_last_run_timestamp_seconds',
    help: 'When this process last looked for files whose time had come',
  });
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = repeatUntilStopped({ pauseMs: intervalMs, signal, logger }, async () => {
    for (const expiry of expiriesOf(await retention.listRetention())) {
      // What cannot be done for one VFS holds up none of the others.
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
