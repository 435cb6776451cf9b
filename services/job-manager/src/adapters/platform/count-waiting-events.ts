import type { Database } from '@waybill/postgres/database';
import type { AuditBacklog } from '../../domain/platform/audit-finding.ts';

const countedAtMost = 100_000;
const queryTimeoutMs = 5_000;

/** Counts what the audit log does not have yet. The table has only events that have not taken effect. */
export async function countWaitingEvents(db: Database): Promise<AuditBacklog> {
  const { rows } = await db
    .raw<{ rows: AuditBacklog[] }>(
      `SELECT count(*)::int AS waiting,
         greatest(0, coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0))::float8 AS "oldestSeconds",
         (SELECT count(*)::int FROM outbox.events WHERE topic = 'audit-event' AND next_attempt_at = 'infinity') AS "setAside"
       FROM (
         SELECT created_at FROM outbox.events WHERE topic = 'audit-event' AND next_attempt_at < 'infinity'
         ORDER BY next_attempt_at, id LIMIT ?) AS event`,
      [countedAtMost],
    )
    .timeout(queryTimeoutMs);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0, setAside: 0 };
}
