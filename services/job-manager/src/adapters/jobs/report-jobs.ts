import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Reports how many jobs wait or run in each queue, and how long the oldest one has been ready. */
export function reportJobs({ db, metrics }: { db: Database; metrics: Metrics }): void {
  metrics.gauge({
    name: 'waybill_jobs',
    help: 'Jobs that have not ended, by status and queue',
    labels: ['status', 'queue'],
    collect: async (gauge) => {
      gauge.reset();
      for (const { status, queue, count } of await countJobs(db)) gauge.set({ status, queue }, count);
    },
  });
  metrics.gauge({
    name: 'waybill_jobs_oldest_ready_seconds',
    help: 'How long the job has been ready that has waited longest for a worker; 0 if there is none',
    collect: async (gauge) => gauge.set(await oldestReadySeconds(db)),
  });
}

async function countJobs(db: Database): Promise<{ status: string; queue: string; count: number }[]> {
  const { rows } = await db.raw<{ rows: { status: string; queue: string; count: number }[] }>(
    'SELECT status, queue, count(*)::int AS count FROM jobs.active GROUP BY status, queue',
  );
  return rows;
}

async function oldestReadySeconds(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { age: number }[] }>(
    'SELECT coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS age FROM jobs.active WHERE ready',
  );
  return rows[0]?.age ?? 0;
}

/** Whether there is a job that has not ended. */
export async function isAnyJobActive(db: Database): Promise<boolean> {
  return (await runPrepared(db, anyActive, {})).length > 0;
}

const anyActive = prepareStatement('jobs any active', 'SELECT true AS found FROM jobs.active LIMIT 1');
