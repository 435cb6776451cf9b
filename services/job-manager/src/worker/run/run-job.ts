import { withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { ClaimedJob, JobLedger, StepProgress } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { StepRunner } from './run-step.ts';

/** The dependencies of running jobs. */
export interface JobRunnerOptions {
  readonly ledger: JobLedger;
  readonly runStep: StepRunner;
  readonly events: JobManagerEvents;
}

/** Runs claimed jobs. `onWorkDone`: called when nothing is left to do but to write down that the job is completed. */
export type JobRunner = (claimed: ClaimedJob, signal: AbortSignal, onWorkDone?: () => void) => Promise<void>;

/**
 * Runs the steps of a job one after the other, from the first unfinished one. Every step's result is durable before
 * the next begins. It does not throw: if the database fails, the job keeps its lease and is taken over when the
 * lease expires.
 */
export function createJobRunner({ ledger, runStep, events }: JobRunnerOptions): JobRunner {
  const runFrom: JobRunner = async ({ job, hold, begunBefore }, signal, onWorkDone) => {
    events.jobClaimed(job, begunBefore);
    const done = begunBefore ? resultsOf(await ledger.stepsOf(job.id)) : new Map<number, StepProgress['outputs']>();
    for (const [position, step] of job.workflow.steps.entries()) {
      if (done.has(position)) continue;
      const result = await runStep({ job, hold, position, step, done }, signal);
      if (!result) return;
      const { outputs, log } = result;
      done.set(position, outputs);
      const last = position === job.workflow.steps.length - 1;
      if (last) onWorkDone?.();
      const kept = last
        ? await ledger.completeJob(hold, position, outputs, completionMessage(job), log)
        : await ledger.completeStep(hold, position, outputs, log);
      if (!kept) return events.jobLost(job);
      if (last) events.jobCompleted(job);
    }
  };

  return (claimed, signal, onWorkDone) => {
    const { id: jobId, dfic, submittedBy: userName } = claimed.job;
    return withCorrelation({ jobId, dfiid: dfic.dfiid, lcid: dfic.lcid, userName }, async () => {
      try {
        await runFrom(claimed, signal, onWorkDone);
      } catch (error) {
        events.jobStuck(claimed.job, error);
      }
    });
  };
}

function resultsOf(steps: readonly StepProgress[]): Map<number, StepProgress['outputs']> {
  return new Map(
    steps.filter(({ status }) => status === 'COMPLETED').map(({ position, outputs }) => [position, outputs]),
  );
}

function completionMessage({ workflow }: Job): string {
  return `All steps are done (${workflow.steps.length})`;
}
