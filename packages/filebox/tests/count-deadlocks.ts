import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';

/** Longer than the second after which a connection's statistics are published. */
const publishedAfterMs = 1_500;

/** The number of deadlocks that PostgreSQL has found in this database; their transactions were repeated. */
export async function countDeadlocks(db: Database): Promise<number> {
  await sleep(publishedAfterMs);
  const { rows } = await db.raw<{ rows: { deadlocks: string }[] }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
}
