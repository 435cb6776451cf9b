import type { Database } from '@waybill/postgres/database';

/**
 * The number of deadlocks that PostgreSQL has found in this database; their transactions were repeated. A connection publishes
 * its statistics some time later, and at once if it is told to: here each one of the pool is.
 */
export async function countDeadlocks(db: Database): Promise<number> {
  const connections = await db.raw<{ rows: unknown[] }>(
    'SELECT FROM pg_stat_activity WHERE datname = current_database()',
  );
  // So many at a time that each connection of the pool gets one.
  const publish = () => db.raw('SELECT pg_stat_force_next_flush(), pg_sleep(0.2)');
  await Promise.all(connections.rows.map(publish));
  const { rows } = await db.raw<{ rows: { deadlocks: string }[] }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
}
