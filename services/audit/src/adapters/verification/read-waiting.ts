import type { Queryable } from '@waybill/postgres/database';
import type { WaitingNumbers } from '../../domain/records/producer-numbers.ts';

/**
 * The numbers of producers that are not among the first `last` records, although they may be settled: those of events in
 * the outbox, and of later records. One statement, because events move from one to the other.
 */
export async function readWaiting(db: Queryable, last: number): Promise<WaitingNumbers[]> {
  const { rows } = await db.raw<{ rows: { id: string; first: string; last: string }[] }>(
    `WITH waiting AS (
       SELECT payload #>> '{producer,id}' AS id, CAST(payload #> '{producer,number}' AS numeric) AS number
       FROM outbox.events
       WHERE topic = 'audit-event' AND jsonb_typeof(payload #> '{producer,number}') = 'number'
       UNION SELECT producer_id, producer_number FROM audit.records WHERE sequence > :last AND producer_number IS NOT NULL
     ), placed AS (SELECT id, number, number - row_number() OVER (PARTITION BY id ORDER BY number) AS run FROM waiting)
     SELECT coalesce(id, '') AS id, min(number) AS first, max(number) AS last FROM placed GROUP BY id, run ORDER BY id, first`,
    { last },
  );
  return rows.map((row) => ({ id: row.id, first: Number(row.first), last: Number(row.last) }));
}
