import { repeatUntilStopped } from '@waybill/filebox/upkeep/repeat-until-stopped';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { forgetReceipts } from './adapters/forget-receipts.ts';
import type { LoginSessions } from './domain/logins/login-sessions.ts';
import type { RunningTransfers } from './domain/transfers/running-transfers.ts';

/** What housekeeping needs. */
export interface HousekeepingOptions {
  readonly db: Database;
  readonly logger: Logger;
  readonly receiptDays: number;
  readonly sweepSessions: (signal: AbortSignal) => Promise<void>;
  readonly sessions: Pick<LoginSessions, 'extend'>;
  readonly transfers: Pick<RunningTransfers, 'sessionsInUse'>;
  /** How long a login session lives without a request or a running transfer. */
  readonly idleSeconds: number;
  readonly events: { receiptsForgotten(count: number): void };
}

const hourMs = 3_600_000;

/** The maximum delay until the end of a session is audited, and between two extensions of one whose transfer runs. */
const sessionPauseMs = 30_000;

/**
 * Keeps the login sessions whose transfers run, however long these take. Audits, from the start on, login sessions that have expired, and deletes, each hour, what has passed its retention.
 * All peers may do so.
 */
export function startHousekeeping(options: HousekeepingOptions): AsyncDisposable {
  const { db, logger, receiptDays, events, sweepSessions, sessions, transfers, idleSeconds } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const pauseMs = Math.min(sessionPauseMs, idleSeconds * 500);
  const sweeping = repeatUntilStopped({ pauseMs, signal, logger }, () => sweepSessions(signal));
  const keepMs = Math.min(sessionPauseMs, idleSeconds * 250);
  const keeping = repeatUntilStopped({ pauseMs: keepMs, signal, logger }, () =>
    sessions.extend(transfers.sessionsInUse()),
  );
  const forgetting = repeatUntilStopped({ pauseMs: hourMs, signal, logger }, async () => {
    events.receiptsForgotten(await forgetReceipts(db, { keptDays: receiptDays, signal }));
  });
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await Promise.all([sweeping, keeping, forgetting]);
    },
  };
}
