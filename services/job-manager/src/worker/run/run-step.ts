import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { isConditionMet } from '@waybill/workflow/run/evaluate-condition';
import { planNext } from '@waybill/workflow/run/plan-next';
import { Interruption } from '../../domain/jobs/interruption.ts';
import type { JobLedger, StepAttempt, StepResult } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { Compute } from '../../domain/workflows/computation.ts';
import { decideAfterFailure } from '../../domain/workflows/decide-after-failure.ts';
import { describeFailure } from '../../domain/workflows/describe-failure.ts';
import { describeInputs } from '../../domain/workflows/describe-inputs.ts';
import { scopeOf } from '../../domain/workflows/job-scope.ts';
import type { Redact } from '../../domain/workflows/mask-secrets.ts';
import { createStepLog, type StepLog } from '../../domain/workflows/step-log.ts';
import type { JobFiles, TaskContext } from '../../domain/workflows/task.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { TaskTable } from '../../tasks/task-table.ts';
import { attemptStep } from './attempt-step.ts';
import type { StepRun } from './step-run.ts';

/** The dependencies of running steps. */
export interface StepRunnerOptions {
  readonly ledger: Pick<JobLedger, 'beginStep' | 'skipStep' | 'retryStep' | 'failStep' | 'failJob' | 'handBack'>;
  readonly tasks: TaskTable;
  readonly filesFor: (run: StepRun, attempt: number) => JobFiles;
  readonly connectionsFor: (run: StepRun) => TaskContext['connections'];
  readonly compute: Compute;
  readonly events: JobManagerEvents;
  /** Called with the delay after which to look for a released job. */
  readonly onRetry: (delayMs: number) => void;
  /** How long an interrupted task may take to end, in milliseconds. */
  readonly graceMs: number;
}

/** Runs a step; `undefined`: the job does not go on here, and what follows from that is written down. */
export type StepRunner = (run: StepRun, signal: AbortSignal) => Promise<StepResult | undefined>;

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
  const { ledger, tasks, filesFor, connectionsFor, compute, events, graceMs } = options;
  return async (run, signal) => {
    const { job, hold, position, step, done } = run;
    const task = tasks[step.uses];
    if (!task) throw new Error(`this worker has no task ${step.uses}`);
    const { isMet, fault } = judgeCondition(run);
    if (!isMet) {
      if (await ledger.skipStep(hold, { position, name: step.name, task: step.uses })) return { status: 'SKIPPED' };
      events.jobLost(job);
      return undefined;
    }
    const { inputs, redact } = describeInputs({ job, step, done, schema: task.parameters });
    const begun = await ledger.beginStep(hold, { position, name: step.name, task: step.uses, inputs });
    if (!begun) {
      events.jobLost(job);
      return undefined;
    }
    const log = createStepLog(begun.attempts, redact);
    try {
      if (isCondemned(begun)) {
        throw new CodedError('job_step_failed', {
          detail: `its process was lost ${begun.losses} times, ${begun.lossesAlone} times while it ran nothing else`,
        });
      }
      const onDeaf = (): void => events.taskDeaf(job, step);
      if (fault) throw fault;
      const files = filesFor(run, begun.attempts);
      const parts = { task, files, connections: connectionsFor(run), compute, graceMs, onDeaf, log: log.write };
      return { status: 'COMPLETED', outputs: await attemptStep(parts, run, signal), log: log.lines() };
    } catch (error) {
      if (!(error instanceof Interruption)) return await settleFailure(options, run, { begun, error, log, redact });
      await settleInterruption(options, run, { error, log });
      return undefined;
    }
  };
}

async function settleFailure(
  { ledger, events, onRetry }: StepRunnerOptions,
  { job, hold, position, step, done }: StepRun,
  { begun, error, log, redact }: { begun: StepAttempt; error: unknown; log: StepLog; redact: Redact },
): Promise<StepResult | undefined> {
  const message = redact.text(describeFailure(step.name, error));
  log.write(message);
  const next = isCondemned(begun) ? ({ kind: 'fail' } as const) : decideAfterFailure(step, begun.failures + 1, error);
  events.stepFailed(job, step, error, next);
  if (next.kind === 'fail') {
    if (!endsJob(job, position, done)) {
      if (await ledger.failStep(hold, position, message, log.lines())) return { status: 'FAILED', error: message };
      events.jobLost(job);
    } else if (await ledger.failJob(hold, position, message, log.lines())) events.jobFailed(job);
  } else if (await ledger.retryStep(hold, position, message, next.afterSeconds, log.lines())) {
    onRetry(next.afterSeconds * 1_000);
  }
  return undefined;
}

/** Whether the failure of a step ends the job at once: nothing else is to run, and it is the one that counts. */
function endsJob({ workflow }: Job, position: number, done: StepRun['done']): boolean {
  const ended = new Map<number, { status: string }>([...done, [position, { status: 'FAILED' }]]);
  const next = planNext(workflow.steps, ended);
  const isFatal = workflow.steps[position]?.continueOnError !== true;
  return isFatal && next.kind === 'end' && (next.failed ?? position) === position;
}

/** Whether the step runs. A condition that cannot be evaluated is a failure of the step. */
function judgeCondition({ job, step, done }: StepRun): { isMet: boolean; fault?: CodedError } {
  if (step.if === undefined) return { isMet: true };
  try {
    return { isMet: isConditionMet(step.if, scopeOf(job, done)) };
  } catch (error) {
    if (isCodedError(error)) return { isMet: true, fault: error };
    throw error;
  }
}

async function settleInterruption(
  { ledger, events }: StepRunnerOptions,
  { job, hold, position }: StepRun,
  { error, log }: { error: Interruption; log: StepLog },
): Promise<void> {
  if (error.why === 'lost') return events.jobLost(job);
  log.write('Interrupted: the worker stops');
  if (await ledger.handBack(hold, position, log.lines())) events.jobHandedBack(job);
}
