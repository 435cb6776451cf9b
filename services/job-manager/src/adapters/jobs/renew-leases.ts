import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Hold } from '../../domain/jobs/job-ledger.ts';

/** Renews the leases of jobs; returns those that are still held. */
export async function renewLeases(db: Database, holds: readonly Hold[], leaseMs: number): Promise<Hold[]> {
  const rows = await runPrepared<{ job_id: string; fence: string }>(db, renewal, {
    leaseMs,
    ids: holds.map(({ jobId }) => String(jobId)),
    fences: holds.map(({ fence }) => fence),
  });
  const renewed = new Set(rows.map(({ job_id: id, fence }) => `${id}/${fence}`));
  return holds.filter(({ jobId, fence }) => renewed.has(`${jobId}/${fence}`));
}

/** The clock is read when all rows are locked: a lease lasts from then on, however long that took. */
const renewal = prepareStatement(
  'jobs renew',
  `WITH held AS MATERIALIZED (
     SELECT job_id FROM jobs.active
     JOIN unnest(CAST(:ids AS bigint[]), CAST(:fences AS bigint[])) AS given (id, token)
       ON given.id = active.job_id AND given.token = active.fence
     ORDER BY job_id FOR NO KEY UPDATE OF active)
   UPDATE jobs.active SET due_at = clock_timestamp() + :leaseMs * interval '1 millisecond'
   FROM held WHERE active.job_id = held.job_id
   RETURNING active.job_id, active.fence`,
);
