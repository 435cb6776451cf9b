import type { Database } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/**
 * Whether a plan is in force, when nothing is known of the process that has applied it: PostgreSQL may still be at the end of its
 * transaction, which is waited for. @throws an error of PostgreSQL if it takes longer than `waitMs`
 */
export async function isPlanApplied(db: Database, planId: string, waitMs: number): Promise<boolean> {
  return await db.transaction(async (trx) => {
    await queryRows(trx, `SELECT set_config('lock_timeout', :waitMs, true)`, { waitMs: String(waitMs) });
    // The transaction that applies a plan holds its row from its first change to its end.
    const [plan] = await queryRows<{ isApplied: boolean }>(
      trx,
      `SELECT applied_at IS NOT NULL AS "isApplied" FROM directory.configuration_plans
        WHERE id = CAST(:planId AS uuid) FOR SHARE`,
      { planId },
    );
    return plan?.isApplied ?? false;
  });
}
