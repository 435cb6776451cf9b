import type { Database } from '@waybill/postgres/database';

/** The number of attempts after which an event is set aside for an administrator. */
const triesAtMost = 20;

/**
 * Records a failed attempt. The next one is due after 1, 2, 4, ... seconds, at most an hour; the 20th is the last one.
 */
export async function postpone(db: Database, id: string, error: unknown): Promise<void> {
  await db.raw(
    `UPDATE outbox.events SET
       attempts = attempts + 1,
       last_error = ?,
       next_attempt_at = CASE WHEN attempts + 1 >= ? THEN 'infinity'
         ELSE now() + least(power(2, attempts), 3600) * interval '1 second' END
     WHERE id = ?`,
    [(error instanceof Error ? error.message : String(error)).slice(0, 2_000), triesAtMost, id],
  );
}
