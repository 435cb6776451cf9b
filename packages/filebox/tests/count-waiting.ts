import type { Database } from '@waybill/postgres/database';

/** The number of connections to this database that wait for a lock. */
export async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { waiting: string }[] }>(
    `SELECT count(*) AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return Number(rows[0]?.waiting);
}
