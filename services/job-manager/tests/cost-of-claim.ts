import type { Database } from '@waybill/postgres/database';
import type { QueueSettings } from '../src/domain/queues/queue-settings.ts';

/** What a claim has read, and the number of jobs that it found. */
export interface ClaimCost {
  /** Pages of `jobs.active` and its indexes. */
  readonly pages: number;
  readonly jobs: number;
}

/** Claims jobs of these queues, and undoes it. */
export async function costOfClaim(db: Database, queues: readonly QueueSettings[]): Promise<ClaimCost> {
  const trx = await db.transaction();
  try {
    const read = async (): Promise<number> => {
      const { rows } = await trx.raw<{ rows: { pages: string }[] }>(
        `SELECT coalesce(sum(pg_stat_get_xact_blocks_fetched(oid)), 0) AS pages FROM pg_class
         WHERE relnamespace = 'jobs'::regnamespace AND relname LIKE 'active%'`,
      );
      return Number(rows[0]?.pages);
    };
    const before = await read();
    const { rows } = await trx.raw<{ rows: object[] }>(
      `SELECT FROM jobs.claim(?, 10, 'w', interval '1 hour', interval '1 minute')`,
      [JSON.stringify(queues)],
    );
    return { pages: (await read()) - before, jobs: rows.length };
  } finally {
    await trx.rollback();
  }
}
