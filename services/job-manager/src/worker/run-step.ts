import { CodedError } from '@waybill/contracts/errors/coded-error';
import { decideAfterFailure } from '../domain/decide-after-failure.ts';
import { describeFailure } from '../domain/describe-failure.ts';
import { Interruption } from '../domain/interruption.ts';
import type { JobLedger, StepAttempt, StepOutputs } from '../domain/job-ledger.ts';
import type { JobFiles } from '../domain/task.ts';
import type { JobManagerEvents } from '../events.ts';
import { attemptStep } from './attempt-step.ts';
import type { StepRun } from './step-run.ts';
import type { TaskTable } from './tasks/task-table.ts';

/** The dependencies of running steps. */
export interface StepRunnerOptions {
  readonly ledger: Pick<JobLedger, 'beginStep' | 'retryStep' | 'failJob' | 'handBack'>;
  readonly tasks: TaskTable;
  readonly filesFor: (run: StepRun) => JobFiles;
  readonly events: JobManagerEvents;
  /** Called with the delay after which to look for a released job. */
  readonly onRetry: (delayMs: number) => void;
}

/** Runs a step; `undefined`: it has not succeeded, and what follows from that is written down. */
export type StepRunner = (run: StepRun, signal: AbortSignal) => Promise<StepOutputs | undefined>;

/** How often a worker may die during a step before the step counts as failed. */
const lossesAtMost = 10;

/** Runs one attempt of a step. */
export function createStepRunner({ ledger, tasks, filesFor, events, onRetry }: StepRunnerOptions): StepRunner {
  const settleFailure = async (run: StepRun, { failures, losses }: StepAttempt, error: unknown): Promise<void> => {
    const { job, hold, position, step } = run;
    const message = describeFailure(step.name, error);
    const next = losses > lossesAtMost ? ({ kind: 'fail' } as const) : decideAfterFailure(step, failures + 1, error);
    events.stepFailed(job, step, error, next);
    if (next.kind === 'fail') {
      if (await ledger.failJob(hold, position, message)) events.jobFailed(job);
    } else if (await ledger.retryStep(hold, position, message, next.afterSeconds)) {
      onRetry(next.afterSeconds * 1_000);
    }
  };

  const settleInterruption = async ({ job, hold, position }: StepRun, { why }: Interruption): Promise<void> => {
    if (why === 'lost') events.jobLost(job);
    else if (await ledger.handBack(hold, position)) events.jobHandedBack(job);
  };

  return async (run, signal) => {
    const { job, hold, position, step } = run;
    const begun = await ledger.beginStep(hold, { position, name: step.name, task: step.uses });
    if (!begun) {
      events.jobLost(job);
      return undefined;
    }
    try {
      if (begun.losses > lossesAtMost) {
        throw new CodedError('job_step_failed', { detail: `its worker was lost ${begun.losses} times` });
      }
      return await attemptStep({ tasks, files: filesFor(run) }, run, signal);
    } catch (error) {
      if (error instanceof Interruption) await settleInterruption(run, error);
      else await settleFailure(run, begun, error);
      return undefined;
    }
  };
}
