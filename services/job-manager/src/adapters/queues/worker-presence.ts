import type { Database } from '@waybill/postgres/database';

/** A worker, and how many jobs it runs at once at most. */
export interface PresentWorker {
  readonly name: string;
  readonly capacity: number;
}

/** How often a worker gives a sign of life. */
export const presenceIntervalMs = 5_000;

/** A worker without a sign of life for so long is not counted any more. */
export const presenceLasts = `interval '20 seconds'`;

/** Notes that a worker runs, and forgets those that have not been seen for an hour. The commit does not wait for the disk. */
export async function reportWorker(db: Database, { name, capacity }: PresentWorker): Promise<void> {
  await db.raw(
    `WITH gone AS (DELETE FROM jobs.workers WHERE seen_at < clock_timestamp() - interval '1 hour'),
     seen AS (
       INSERT INTO jobs.workers (name, capacity, seen_at) VALUES (?, ?, clock_timestamp())
       ON CONFLICT (name) DO UPDATE SET seen_at = clock_timestamp(), capacity = excluded.capacity)
     SELECT set_config('synchronous_commit', 'off', true)`,
    [name, capacity],
  );
}

/** Notes that a worker has stopped. */
export async function removeWorker(db: Database, name: string): Promise<void> {
  await db.raw('DELETE FROM jobs.workers WHERE name = ?', [name]);
}
