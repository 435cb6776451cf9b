import type { JobId } from '@waybill/contracts/values/job-id';
import type { Database } from '@waybill/postgres/database';
import { aheadAtMost } from '../../domain/queues/explain-wait.ts';
import type { WaitingJob } from '../../domain/queues/queue-store.ts';
import { stepWaitSchema } from '../../domain/queues/step-wait.ts';
import { presenceLasts } from './worker-presence.ts';

interface WaitRow {
  queue: string;
  begun: boolean;
  needs: string[] | null;
  delayed_until: Date | null;
  wait: unknown;
  ahead: number;
  queue_running: number;
  running: number;
  workers: number;
  capacity: number;
}

/** The facts about a job that waits; `undefined` if it has ended or a worker runs it. Each count reads one index. */
export async function readWait(db: Database, id: JobId): Promise<WaitingJob | undefined> {
  const { rows } = await db.raw<{ rows: WaitRow[] }>(
    `SELECT job.queue, job.status = 'RUNNING' AS begun, job.needs,
       CASE WHEN job.due_at > clock_timestamp() THEN job.due_at END AS delayed_until,
       CASE WHEN job.status = 'SUSPENDED' AND job.due_at > clock_timestamp() THEN job.wait END AS wait,
       (SELECT count(*)::int FROM (
          SELECT FROM jobs.active other WHERE other.ready AND other.queue = job.queue AND other.job_id < job.job_id
          LIMIT :aheadAtMost) AS first) AS ahead,
       (SELECT count(*)::int FROM jobs.active held WHERE held.queue = job.queue AND held.fence IS NOT NULL) AS queue_running,
       (SELECT count(*)::int FROM jobs.active held WHERE held.fence IS NOT NULL) AS running,
       present.workers, present.capacity
     FROM jobs.active job, (
       SELECT count(*)::int AS workers, coalesce(sum(capacity), 0)::int AS capacity
       FROM jobs.workers WHERE seen_at > clock_timestamp() - ${presenceLasts}) AS present
     WHERE job.job_id = :id AND (job.fence IS NULL OR job.due_at <= clock_timestamp())`,
    { id, aheadAtMost },
  );
  const [row] = rows;
  if (!row) return undefined;
  const { queue, begun, ahead, workers: count, capacity, running } = row;
  const delayedUntil = row.delayed_until ?? undefined;
  const present = { count, capacity, running };
  return {
    queue,
    begun,
    needs: row.needs ?? undefined,
    atStep: stepWaitSchema.safeParse(row.wait).data,
    delayedUntil,
    ahead,
    queueRunning: row.queue_running,
    workers: present,
  };
}
