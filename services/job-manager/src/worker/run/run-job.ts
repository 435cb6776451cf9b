import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { isWaitingTask } from '@waybill/contracts/tasks/task-specifications';
import { withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { StepEnd } from '@waybill/workflow/run/job-scope';
import { planNext } from '@waybill/workflow/run/plan-next';
import type { ClaimedJob, Hold, JobLedger, StepResult } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { endedSteps, type JobPast, noPast, readPast } from '../../domain/workflows/job-past.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { StepRunner } from './run-step.ts';
import type { StepRun } from './step-run.ts';

/** The dependencies of running jobs. */
export interface JobRunnerOptions {
  readonly ledger: JobLedger;
  readonly runStep: StepRunner;
  readonly events: JobManagerEvents;
}

/** Runs claimed jobs. `onWorkDone`: called when nothing is left to do but to write down that the job is completed. */
export type JobRunner = (claimed: ClaimedJob, signal: AbortSignal, onWorkDone?: () => void) => Promise<void>;

/**
 * Runs the steps of a job, from the first unfinished one. Every step's result is durable before the next begins. It does not
 * throw: if the database fails, the job keeps its lease and is taken over when the lease expires.
 */
export function createJobRunner({ ledger, runStep, events }: JobRunnerOptions): JobRunner {
  const runFrom: JobRunner = async ({ job, hold, begunBefore }, signal, onWorkDone) => {
    events.jobClaimed(job, begunBefore);
    const { steps } = job.workflow;
    // A job that has waited at a step is claimed like one that has not begun.
    const mayHaveBegun = begunBefore || steps.some(({ uses }) => isWaitingTask(uses));
    const past = mayHaveBegun ? await readPast(ledger, job, hold) : noPast;
    if (!past) return events.jobLost(job);
    const done = endedSteps(steps, past);
    for (let next = planNext(steps, done); next.kind === 'run'; next = planNext(steps, done)) {
      const { position } = next;
      const step = steps[position];
      if (!step) throw new Error(`the workflow has no step ${position}`);
      const result = await runStep({ job, hold, position, step, done, past, ...begunAt(past, position) }, signal);
      if (!result) return;
      done.set(position, endOf(step, result));
      if (result.status !== 'COMPLETED') continue;
      const { outputs, log } = result;
      const after = planNext(steps, done);
      const isCompleted = after.kind === 'end' && after.failed === undefined;
      if (isCompleted) onWorkDone?.();
      const kept = isCompleted
        ? await ledger.completeJob(hold, position, outputs, completionMessage(done), log)
        : await ledger.completeStep(hold, position, outputs, log);
      if (!kept) return events.jobLost(job);
      if (isCompleted) return events.jobCompleted(job);
    }
    onWorkDone?.();
    await endJob({ ledger, events }, { job, hold }, done);
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

/** What was begun of a step that has not ended. */
function begunAt({ steps, items }: JobPast, position: number): Pick<StepRun, 'items' | 'kept'> {
  const [ofItems, ofStep] = [items.get(position), steps.get(position)?.outputs];
  return { ...(ofItems && { items: ofItems }), ...(ofStep && { kept: ofStep }) };
}

function endOf({ name, uses: task }: StoredStep, result: StepResult): StepEnd {
  const { status } = result;
  return {
    name,
    task,
    status,
    outputs: status === 'COMPLETED' ? result.outputs : {},
    error: status === 'FAILED' ? result.error : '',
    ...('items' in result && { items: result.items }),
  };
}

/** Ends a job whose last step was skipped or has failed. */
async function endJob(
  { ledger, events }: Pick<JobRunnerOptions, 'ledger' | 'events'>,
  { job, hold }: { job: Job; hold: Hold },
  done: ReadonlyMap<number, StepEnd>,
): Promise<void> {
  const { steps } = job.workflow;
  const next = planNext(steps, done);
  const failed = next.kind === 'end' ? next.failed : undefined;
  if (failed === undefined) {
    if (await ledger.completeEndedJob(hold, completionMessage(done))) return events.jobCompleted(job);
    return events.jobLost(job);
  }
  const reopened = [...done].flatMap(([position, { status }]) =>
    status === 'FAILED' && steps[position]?.continueOnError !== true ? [position] : [],
  );
  if (await ledger.failEndedJob(hold, reopened, done.get(failed)?.error ?? '')) return events.jobFailed(job);
  return events.jobLost(job);
}

function completionMessage(done: ReadonlyMap<number, StepEnd>): string {
  const count = (wanted: StepEnd['status']): number =>
    [...done.values()].filter(({ status }) => status === wanted).length;
  const [skipped, failed] = [count('SKIPPED'), count('FAILED')];
  const others = [...(skipped > 0 ? [`${skipped} skipped`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
  return `All steps are done (${[done.size, ...others].join(', ')})`;
}
