import type { Database } from '@waybill/postgres/database';
import type { ClaimedJob, QueueSettings } from '../domain/job-ledger.ts';
import { transitionTable } from '../domain/transition-table.ts';
import { jobOf, type JobRow } from './job-row.ts';

/** Who claims, how much, and for how long. */
export interface Claim {
  readonly queues: readonly QueueSettings[];
  readonly limit: number;
  readonly owner: string;
  readonly leaseMs: number;
}

/**
 * Claims the jobs that should run now. Claims are serialized (by an advisory lock), so that a queue's parallelism
 * is never exceeded. A job in a removed queue is not started, but running ones continue, one at a time.
 */
export async function claimJobs(db: Database, { queues, limit, owner, leaseMs }: Claim): Promise<ClaimedJob[]> {
  const { rows } = await db.transaction(async (trx) => {
    await trx.raw(`SELECT pg_advisory_xact_lock(hashtextextended('waybill claim jobs', 0))`);
    return await trx.raw<{ rows: (JobRow & { begun_before: boolean })[] }>(claim, {
      queues: JSON.stringify(queues),
      limit,
      owner,
      leaseMs,
      target: transitionTable.start.to,
    });
  });
  return rows
    .map((row) => {
      const job = jobOf(row);
      return { job, hold: { jobId: job.id, fence: row.fence }, begunBefore: row.begun_before };
    })
    .toSorted((one, other) => one.job.id - other.job.id);
}

const waiting = transitionTable.start.from.map((status) => `'${status}'`).join(', ');

const running = `status = 'RUNNING' AND (lease_until IS NULL OR lease_until < now()) AND (run_after IS NULL OR run_after <= now())`;

const claim = `
  WITH named AS (
    SELECT * FROM jsonb_to_recordset(CAST(:queues AS jsonb)) AS q (name text, enabled boolean, priority int, parallelism int)),
  queues AS (
    SELECT * FROM named
    UNION ALL
    SELECT DISTINCT queue, false, 1, 1 FROM jobs.jobs
    WHERE status = 'RUNNING' AND queue NOT IN (SELECT name FROM named)),
  held AS (
    SELECT queue, count(*)::int AS jobs FROM jobs.jobs WHERE status = 'RUNNING' AND lease_until >= now() GROUP BY queue),
  ready AS (
    SELECT found.id, queues.priority, queues.parallelism - coalesce(held.jobs, 0) AS room,
      row_number() OVER (PARTITION BY queues.name ORDER BY found.id) AS place
    FROM queues LEFT JOIN held ON held.queue = queues.name
    CROSS JOIN LATERAL (
      (SELECT id FROM jobs.jobs WHERE queue = queues.name AND ${running} ORDER BY id LIMIT :limit)
      UNION ALL
      (SELECT id FROM jobs.jobs WHERE queues.enabled AND queue = queues.name AND status IN (${waiting})
       ORDER BY id LIMIT :limit)) AS found
    WHERE queues.parallelism > coalesce(held.jobs, 0)),
  chosen AS (
    SELECT id FROM ready WHERE place <= room ORDER BY priority DESC, id LIMIT :limit),
  before AS (
    SELECT jobs.id, jobs.status FROM jobs.jobs JOIN chosen ON chosen.id = jobs.id
    WHERE status IN (${waiting}) OR (${running}) FOR UPDATE OF jobs SKIP LOCKED),
  claimed AS (
    UPDATE jobs.jobs SET status = :target, fence = fence + 1, lease_owner = :owner, run_after = NULL,
      lease_until = now() + :leaseMs * interval '1 millisecond',
      status_message = CASE WHEN before.status = :target THEN status_message ELSE 'Running' END,
      updated_at = CASE WHEN before.status = :target THEN updated_at ELSE now() END
    FROM before WHERE jobs.id = before.id AND (jobs.status IN (${waiting}) OR (${running.replaceAll('status', 'jobs.status')}))
    RETURNING jobs.*, before.status AS status_before, before.status = :target AS begun_before),
  noted AS (
    INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
    SELECT id, status_before, status, 'start', 'platform', status_message FROM claimed WHERE NOT begun_before)
  SELECT * FROM claimed`;
