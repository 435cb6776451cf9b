import { repeatUntilStopped } from '@waybill/filebox/upkeep/repeat-until-stopped';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { forgetReceipts } from './adapters/forget-receipts.ts';

/** What housekeeping needs. */
export interface HousekeepingOptions {
  readonly db: Database;
  readonly logger: Logger;
  readonly receiptDays: number;
  readonly sweepSessions: (signal: AbortSignal) => Promise<void>;
  /** How long a login session lives without a request. */
  readonly idleSeconds: number;
  readonly events: { receiptsForgotten(count: number): void };
}

const hourMs = 3_600_000;

/** The maximum delay until the end of a session is audited. */
const sessionPauseMs = 30_000;

/**
 * Audits, from the start on, login sessions that have expired, and deletes, each hour, what has passed its retention.
 * All peers may do so.
 */
export function startHousekeeping(options: HousekeepingOptions): AsyncDisposable {
  const { db, logger, receiptDays, events, sweepSessions, idleSeconds } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pauseMs = Math.min(sessionPauseMs, idleSeconds * 500);
  const sweeping = repeatUntilStopped({ pauseMs, signal, logger }, () => sweepSessions(signal));
  const forgetting = repeatUntilStopped({ pauseMs: hourMs, signal, logger }, async () => {
    events.receiptsForgotten(await forgetReceipts(db, { keptDays: receiptDays, signal }));
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all([sweeping, forgetting]);
    },
  };
}
