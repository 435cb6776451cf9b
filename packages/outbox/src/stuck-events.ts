import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { Database, Queryable } from '@waybill/postgres/database';
import { appendToOutbox } from './append-to-outbox.ts';

/** An event that could not be handled in all attempts: it is set aside for an administrator. */
export interface StuckEvent {
  readonly id: string;
  readonly topic: string;
  readonly tries: number;
  readonly lastError: string;
  /** When the event was made. */
  readonly since: Date;
}

/** The stuck events of a topic. */
export interface StuckCount {
  readonly topic: string;
  readonly count: number;
  /** The age of the oldest one. */
  readonly oldestSeconds: number;
}

/** A stuck event is due at no time. */
const isStuck = "next_attempt_at = 'infinity'";

/** The stuck events, oldest first and at most `limit`. */
export async function listStuckEvents(db: Queryable, limit: number): Promise<StuckEvent[]> {
  const { rows } = await db.raw<{ rows: StuckEvent[] }>(
    `SELECT id, topic, attempts AS tries, coalesce(last_error, '') AS "lastError", created_at AS since
     FROM outbox.events WHERE ${isStuck} ORDER BY created_at, id LIMIT :limit`,
    { limit },
  );
  return rows;
}

/** Makes all stuck events due, with all their attempts, and audits that. Returns their number. */
export async function retryStuckEvents(
  db: Database,
  by: { readonly user: string; readonly nodeId: string; readonly managerName: string },
): Promise<number> {
  return await db.transaction(async (trx) => {
    const { rowCount } = await trx.raw<{ rowCount: number }>(
      `UPDATE outbox.events SET attempts = 0, next_attempt_at = now() WHERE ${isStuck}`,
    );
    if (rowCount === 0) return 0;
    const entity = { entityType: 'Events', entityName: 'events that were set aside', entityId: '' };
    const payload = composeAuditEvent('stuckEventsRetried', { ...by, ...entity, names: { count: String(rowCount) } });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
    return rowCount;
  });
}

/** How many events of each topic are stuck. */
export async function countStuckEvents(db: Queryable): Promise<StuckCount[]> {
  const { rows } = await db.raw<{ rows: { topic: string; count: string; oldest: number }[] }>(
    `SELECT topic, count(*) AS count, extract(epoch FROM now() - min(created_at))::float8 AS oldest
     FROM outbox.events WHERE ${isStuck} GROUP BY topic`,
  );
  return rows.map(({ topic, count, oldest }) => ({ topic, count: Number(count), oldestSeconds: oldest }));
}
