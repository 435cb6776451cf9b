import { CodedError } from '@waybill/contracts/errors/coded-error';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { JobLedger, StepAttempt, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { decideAfterFailure } from '../../domain/workflows/decide-after-failure.ts';
import { describeFailure } from '../../domain/workflows/describe-failure.ts';
import type { JobFiles } from '../../domain/workflows/task.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { TaskTable } from '../../tasks/task-table.ts';
import { attemptStep } from './attempt-step.ts';
import type { StepRun } from './step-run.ts';

/** The dependencies of running steps. */
export interface StepRunnerOptions {
  readonly ledger: Pick<JobLedger, 'beginStep' | 'retryStep' | 'failJob' | 'handBack'>;
  readonly tasks: TaskTable;
  readonly filesFor: (run: StepRun) => JobFiles;
  readonly events: JobManagerEvents;
  /** Called with the delay after which to look for a released job. */
  readonly onRetry: (delayMs: number) => void;
  /** How long an interrupted task may take to end, in milliseconds. */
  readonly graceMs: number;
}

/** Runs a step; `undefined`: it has not succeeded, and what follows from that is written down. */
export type StepRunner = (run: StepRun, signal: AbortSignal) => Promise<StepOutputs | undefined>;

/**
 * How often a process that runs nothing else may die during a step, and how often its worker may be lost for whatever
 * reason; then the step has failed for good.
 */
export const lossesAtMost = { alone: 10, inAll: 100 } as const;

function isCondemned({ lossesAlone, losses }: StepAttempt): boolean {
  return lossesAlone >= lossesAtMost.alone || losses >= lossesAtMost.inAll;
}

/** Runs one attempt of a step. */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const { ledger, tasks, filesFor, events, onRetry, graceMs } = options;
  const settleFailure = async (run: StepRun, begun: StepAttempt, error: unknown): Promise<void> => {
    const { job, hold, position, step } = run;
    const message = describeFailure(step.name, error);
    const next = isCondemned(begun) ? ({ kind: 'fail' } as const) : decideAfterFailure(step, begun.failures + 1, error);
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
      if (isCondemned(begun)) {
        throw new CodedError('job_step_failed', {
          detail: `its process was lost ${begun.losses} times, ${begun.lossesAlone} times while it ran nothing else`,
        });
      }
      const onDeaf = (): void => events.taskDeaf(job, step);
      return await attemptStep({ tasks, files: filesFor(run), graceMs, onDeaf }, run, signal);
    } catch (error) {
      if (error instanceof Interruption) await settleInterruption(run, error);
      else await settleFailure(run, begun, error);
      return undefined;
    }
  };
}
