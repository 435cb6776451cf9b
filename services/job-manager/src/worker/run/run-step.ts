import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { isConditionMet } from '@waybill/workflow/run/evaluate-condition';
import { planNext } from '@waybill/workflow/run/plan-next';
import type { Interruption } from '../../domain/jobs/interruption.ts';
import type { JobLedger, LogLine, StepResult } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { readWaitState, type StepWait } from '../../domain/queues/step-wait.ts';
import { scopeOf } from '../../domain/workflows/job-scope.ts';
import type { StepLog } from '../../domain/workflows/step-log.ts';
import { type AttemptOptions, runAttempt } from './run-attempt.ts';
import { runItems } from './run-items.ts';
import type { StepRun } from './step-run.ts';

/** The dependencies of running steps. */
export interface StepRunnerOptions extends AttemptOptions {
  readonly ledger: Pick<
    JobLedger,
    | 'beginStep'
    | 'completeStep'
    | 'skipStep'
    | 'retryStep'
    | 'failStep'
    | 'failJob'
    | 'handBack'
    | 'postponeItem'
    | 'suspendJob'
  >;
  /** Called with the delay after which to look for a released job. */
  readonly onRetry: (delayMs: number) => void;
  /** Items of a step that run at the same time, whatever the step says. */
  readonly itemsAtOnce?: number;
}

/** Runs a step; `undefined`: the job does not go on here, and what follows from that is written down. */
export type StepRunner = (run: StepRun, signal: AbortSignal) => Promise<StepResult | undefined>;

/** Runs one attempt of a step, or those of its items. */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const { ledger, events } = options;
  return async (run, signal) => {
    const { job, hold, position, step } = run;
    const { isMet, fault } = judgeCondition(run);
    if (!isMet) {
      if (await ledger.skipStep(hold, { position, name: step.name, task: step.uses })) return { status: 'SKIPPED' };
      events.jobLost(job);
      return undefined;
    }
    const hasItems = step.foreach !== undefined && !fault;
    const outcome = hasItems ? await runItems(options, run, signal) : await runAttempt(options, run, { signal, fault });
    const ofItems = 'items' in outcome && outcome.items && { items: outcome.items };
    if (outcome.kind === 'completed') {
      return { status: 'COMPLETED', outputs: outcome.outputs, log: outcome.log.lines(), ...ofItems };
    }
    if (outcome.kind === 'failed') {
      const result = await settleFailure(options, run, { ...outcome, log: outcome.log.lines() });
      return result && { ...result, ...ofItems };
    }
    if (outcome.kind === 'interrupted') await settleInterruption(options, run, outcome);
    else if (outcome.kind === 'suspended') await settleSuspension(options, run, outcome);
    else events.jobLost(job);
    return undefined;
  };
}

interface Failure {
  readonly message: string;
  readonly log: readonly LogLine[];
  readonly next: { readonly kind: 'retry'; readonly afterSeconds: number } | { readonly kind: 'fail' };
}

async function settleFailure(
  { ledger, events, onRetry }: StepRunnerOptions,
  { job, hold, position, done }: StepRun,
  { message, log, next }: Failure,
): Promise<Extract<StepResult, { status: 'FAILED' }> | undefined> {
  if (next.kind === 'fail') {
    if (!endsJob(job, position, done)) {
      if (await ledger.failStep(hold, position, message, log)) return { status: 'FAILED', error: message };
      events.jobLost(job);
    } else if (await ledger.failJob(hold, position, message, log)) events.jobFailed(job);
  } else if (await ledger.retryStep(hold, position, message, next.afterSeconds, log)) {
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
function judgeCondition({ job, step, done }: StepRun): { isMet: boolean; fault?: Error } {
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

/** A later time is found by the look for unannounced jobs: a timer would keep it in memory. */
const announcedAtMostMs = 3_600_000;

async function settleSuspension(
  { ledger, events, onRetry }: StepRunnerOptions,
  { job, hold, position, kept }: StepRun,
  { wait, log }: { wait: StepWait; log: StepLog },
): Promise<void> {
  // A job that looks in vain, because what it waited for is gone, says nothing again.
  const lines = readWaitState(kept) ? [] : log.lines();
  if (!(await ledger.suspendJob(hold, position, wait, lines))) return events.jobLost(job);
  events.jobWaits(job, wait);
  const delayMs = Date.parse(wait.until) - Date.now();
  if (delayMs < announcedAtMostMs) onRetry(Math.max(0, delayMs));
}
