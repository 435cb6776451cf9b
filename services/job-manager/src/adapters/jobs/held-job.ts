import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Hold } from '../../domain/jobs/job-ledger.ts';

/**
 * The condition under which a worker may write: its hold is the newest. As a CTE it also locks the job until the
 * transaction ends, so that a takeover or an abort waits for the write, and the reverse.
 */
export const heldJob = `held AS (
  SELECT job_id AS id FROM jobs.active WHERE job_id = CAST(:jobId AS bigint) AND fence = CAST(:fence AS bigint) FOR NO KEY UPDATE)`;

/** Whether the hold is the newest. Within a transaction it stays so until that ends. */
export async function isStillHeld(on: Queryable, hold: Hold): Promise<boolean> {
  return (await runPrepared(on, locking, { ...hold })).length === 1;
}

const locking = prepareStatement('jobs lock held', `WITH ${heldJob} SELECT id FROM held`);
