import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { Hold } from '../../domain/jobs/job-ledger.ts';
import { explainNeeds } from '../../domain/queues/explain-wait.ts';
import type { StepNeed } from '../../domain/workflows/unknown-parts.ts';
import { heldJob } from './held-job.ts';

/** A value tells not which workers can read it: such a job is tried again after this time. */
const unreadableAgainSeconds = 60;

/**
 * Ends the hold on a job that this worker does not understand, without blame. A worker that knows all of what it needs makes
 * it ready with `takeLeftJobs`; until then it is not claimed. False if the hold is lost.
 */
export async function leaveJob(db: Database, hold: Hold, needs: readonly StepNeed[]): Promise<boolean> {
  const message = explainNeeds(needs);
  const isUnreadable = needs.some((need) => need.startsWith('value of '));
  const againSeconds = isUnreadable ? unreadableAgainSeconds : null;
  return (await runPrepared(db, leaving, { ...hold, needs: [...needs], message, againSeconds })).length === 1;
}

/** Makes the jobs ready that other workers have left, and of which all is known. Resolves to their count. */
export async function takeLeftJobs(db: Database, known: readonly StepNeed[]): Promise<number> {
  return (await runPrepared(db, taking, { known: [...known] })).length;
}

/** Reports how many jobs wait for a worker that understands them, by what they need. */
export function reportLeftJobs({ db, metrics }: { db: Database; metrics: Metrics }): void {
  metrics.gauge({
    name: 'waybill_jobs_left',
    help: 'Jobs that wait for a newer worker, by what those that run do not understand',
    labels: ['needs'],
    collect: async (gauge) => {
      const { rows } = await db.raw<{ rows: { needs: string; count: string }[] }>(
        `SELECT array_to_string(needs, ', ') AS needs, count(*) FROM jobs.active WHERE needs IS NOT NULL GROUP BY 1 LIMIT 100`,
      );
      gauge.reset();
      for (const { needs, count } of rows) gauge.set({ needs }, Number(count));
    },
  });
}

const leaving = prepareStatement(
  'jobs leave',
  `WITH ${heldJob}
   UPDATE jobs.active SET fence = NULL, owner = NULL, ready = false,
     needs = CASE WHEN CAST(:againSeconds AS integer) IS NULL THEN CAST(:needs AS text[]) END,
     due_at = clock_timestamp() + CAST(:againSeconds AS integer) * interval '1 second',
     since = clock_timestamp(), status_message = CAST(:message AS text)
   FROM held WHERE active.job_id = held.id RETURNING active.job_id`,
);

const taking = prepareStatement(
  'jobs take left',
  `UPDATE jobs.active SET needs = NULL, ready = true, since = clock_timestamp(), status_message = 'Running'
   WHERE job_id = ANY (ARRAY(
     SELECT left_job.job_id FROM jobs.active left_job
     WHERE left_job.needs IS NOT NULL AND left_job.needs <@ CAST(:known AS text[])
     ORDER BY left_job.job_id LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED))
   RETURNING job_id`,
);
