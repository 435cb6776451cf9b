import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';

/** More than the second after which a connection's own counts are published. */
const publishedAfterMs = 1_500;

/** How often PostgreSQL found that transactions in this database waited for each other in a circle; whoever met it tried again. */
export async function countDeadlocks(db: Database): Promise<number> {
  await sleep(publishedAfterMs);
  const { rows } = await db.raw<{ rows: { deadlocks: string }[] }>(
    'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()',
  );
  return Number(rows[0]?.deadlocks);
}
