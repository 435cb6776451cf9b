import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { ClaimedJob } from '../../domain/jobs/job-ledger.ts';
import type { QueueSettings } from '../../domain/queues/queue-settings.ts';
import { jobOf, type JobRow } from './job-row.ts';

/** Who claims, how much, and for how long. */
export interface Claim {
  readonly queues: readonly QueueSettings[];
  readonly limit: number;
  readonly owner: string;
  readonly leaseMs: number;
  /** A job that has waited for so long is as urgent as one of priority 10, in milliseconds. */
  readonly patienceMs: number;
}

interface ClaimedRow {
  claimed_id: string;
  token: string;
  begun_before: boolean;
  is_suspect: boolean;
  lost_alone: number;
}

/**
 * Claims the jobs that should run now. The function in PostgreSQL returns their numbers alone; the jobs
 * are read afterwards, so that no claim waits for a client that reads slowly.
 */
export async function claimJobs(
  db: Database,
  { queues, limit, owner, leaseMs, patienceMs }: Claim,
): Promise<ClaimedJob[]> {
  const parameters = { queues: JSON.stringify(queues), limit, owner, leaseMs, patienceMs };
  const claims = await runPrepared<ClaimedRow>(db, claimStatement, parameters);
  if (claims.length === 0) return [];
  const ids = claims.map(({ claimed_id: id }) => id);
  const rows = await runPrepared<JobRow & object>(db, readClaimed, { ids });
  const jobs = new Map(rows.map((row) => [row.id, jobOf(row)]));
  return claims.flatMap((claim) => {
    const job = jobs.get(claim.claimed_id);
    if (!job) return [];
    const { token: fence, begun_before: begunBefore, is_suspect: suspect, lost_alone: lossesAlone } = claim;
    return [{ job, hold: { jobId: job.id, fence }, begunBefore, suspect, lossesAlone }];
  });
}

const claimStatement = prepareStatement(
  'jobs claim',
  `SELECT * FROM jobs.claim(jobs.without_paused(:queues), :limit, :owner, :leaseMs * interval '1 millisecond', :patienceMs * interval '1 millisecond')`,
);

const readClaimed = prepareStatement('jobs read claimed', 'SELECT * FROM jobs.read_active(CAST(:ids AS bigint[]))');
