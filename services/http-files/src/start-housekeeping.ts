import { repeatUntilStopped } from '@waybill/filebox/repeat-until-stopped';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/logger';
import { forgetReceipts } from './adapters/forget-receipts.ts';

/** What is looked after, and who is told. */
export interface HousekeepingOptions {
  readonly db: Database;
  readonly logger: Logger;
  readonly receiptDays: number;
  readonly events: { receiptsForgotten(count: number): void };
}

const hourMs = 3_600_000;

/** Forgets, from the start on and each hour, what has been kept for its time. All peers may do so. */
export function startHousekeeping({ db, logger, receiptDays, events }: HousekeepingOptions): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  const forgetting = repeatUntilStopped({ pauseMs: hourMs, signal, logger }, async () => {
    events.receiptsForgotten(await forgetReceipts(db, { keptDays: receiptDays, signal }));
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await forgetting;
    },
  };
}
