import type { Queryable } from '@waybill/postgres/database';
import type { WaitingNumbers } from '../../domain/records/producer-numbers.ts';

/** The numbers that an event voids. */
const voidedIn = (json: string): string =>
  `jsonb_array_elements(CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json} ELSE '[]' END) AS voided`;

/**
 * The numbers of producers that are not among the first `last` records, although they may be settled: those of events in
 * the outbox and of later records, and those that these void. One statement, because events move from one to the other.
 */
export async function readWaiting(db: Queryable, last: number): Promise<WaitingNumbers[]> {
  const { rows } = await db.raw<{ rows: { id: string; first: string; last: string }[] }>(
    `WITH waiting AS (
       SELECT payload #>> '{producer,id}' AS id, CAST(payload #> '{producer,number}' AS numeric) AS number
       FROM outbox.events
       WHERE topic = 'audit-event' AND jsonb_typeof(payload #> '{producer,number}') = 'number'
       UNION SELECT payload #>> '{producer,id}', CAST(voided AS numeric)
       FROM outbox.events, ${voidedIn("(payload #> '{producer,voided}')")}
       WHERE topic = 'audit-event' AND jsonb_typeof(voided) = 'number'
       UNION SELECT producer_id, producer_number FROM audit.records WHERE sequence > :last AND producer_number IS NOT NULL
       UNION SELECT producer_id, CAST(voided AS numeric) FROM audit.records, ${voidedIn('producer_voided')}
       WHERE sequence > :last AND jsonb_typeof(voided) = 'number'
     ), placed AS (SELECT id, number, number - row_number() OVER (PARTITION BY id ORDER BY number) AS run FROM waiting)
     SELECT coalesce(id, '') AS id, min(number) AS first, max(number) AS last FROM placed GROUP BY id, run ORDER BY id, first`,
    { last },
  );
  return rows.map((row) => ({ id: row.id, first: Number(row.first), last: Number(row.last) }));
}
