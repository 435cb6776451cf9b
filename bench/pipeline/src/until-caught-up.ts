import { setTimeout as delay } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';

const timeoutMs = 120_000;

/** Resolves when every event has taken effect and every job has ended. */
export async function untilCaughtUp(db: Database): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    // Seldom, because its own processor time is measured too.
    await delay(100);
    const { rows } = await db.raw<{ rows: { busy: boolean }[] }>(
      `SELECT EXISTS (SELECT FROM outbox.events)
         OR EXISTS (SELECT FROM jobs.active WHERE status IN ('SUBMITTED', 'RUNNING')) AS busy`,
    );
    if (rows[0]?.busy === false) return;
    if (Date.now() > deadline) throw new Error('The platform has not caught up');
  }
}
