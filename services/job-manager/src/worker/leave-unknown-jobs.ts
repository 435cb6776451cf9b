import type { Database } from '@waybill/postgres/database';
import { leaveJob, takeLeftJobs } from '../adapters/jobs/left-jobs.ts';
import { knownParts, unknownParts } from '../domain/workflows/unknown-parts.ts';
import type { JobManagerEvents } from '../events.ts';
import type { TaskTable } from '../tasks/task-table.ts';
import type { Duty } from './duties.ts';
import type { JobRunner } from './run/run-job.ts';

/** What a worker needs to leave jobs to others, and to take those that others have left. */
export interface LeavingParts {
  readonly db: Database;
  readonly tasks: TaskTable;
  readonly events: Pick<JobManagerEvents, 'jobLeft' | 'jobLost' | 'jobStuck'>;
}

/**
 * Runs the jobs of which this worker understands every step. The others are left as a whole, before their first step or the
 * one that they have reached: during a rolling upgrade, a newer worker runs them. It does not throw.
 */
export function leavingUnknownJobs({ db, tasks, events }: LeavingParts, run: JobRunner): JobRunner {
  return async (claimed, signal, onWorkDone) => {
    const { job, hold } = claimed;
    const needs = unknownParts(job.workflow.steps, tasks);
    if (needs.length === 0) return await run(claimed, signal, onWorkDone);
    try {
      if (await leaveJob(db, hold, needs)) events.jobLeft(job, needs);
      else events.jobLost(job);
    } catch (error) {
      events.jobStuck(job, error);
    }
  };
}

/** Finds the jobs that older workers have left, and that this one can run. */
export function takingLeftJobs(
  { db, tasks }: Pick<LeavingParts, 'db' | 'tasks'>,
  { intervalMs, onReady }: { intervalMs: number; onReady: () => void },
): Duty {
  const known = knownParts(tasks);
  const work = async (): Promise<void> => {
    if ((await takeLeftJobs(db, known)) > 0) onReady();
  };
  return { name: 'take jobs that older workers left', intervalMs, work };
}
