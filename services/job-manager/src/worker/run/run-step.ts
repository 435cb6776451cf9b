import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { isConditionMet } from '@waybill/workflow/run/evaluate-condition';
import { planNext } from '@waybill/workflow/run/plan-next';
import type { Interruption } from '../../domain/jobs/interruption.ts';
import type { JobLedger, LogLine, StepResult } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { readWaitState, type StepWait } from '../../domain/queues/step-wait.ts';
import { scopeOf } from '../../domain/workflows/job-scope.ts';
import type { StepLog } from '../../domain/workflows/step-log.ts';
import { type AttemptOptions, type AttemptOutcome, runAttempt } from './run-attempt.ts';
import { type InnerOutcome, runCall } from './run-call.ts';
import { runItems } from './run-items.ts';
import { pathOf, type StepRun } from './step-run.ts';

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
    | 'repeatSteps'
  >;
  /** Called with the delay after which to look for a released job. */
  readonly onRetry: (delayMs: number) => void;
  /** Items of a step that run at the same time, whatever the step says. */
  readonly itemsAtOnce?: number;
}

/** Runs a step; `undefined`: the job does not go on here, and what follows from that is written down. */
export type StepRunner = (run: StepRun, signal: AbortSignal) => Promise<StepResult | undefined>;

/** Runs one attempt of a step, those of its items, or the steps of the workflow that it runs. */
export function createStepRunner(options: StepRunnerOptions): StepRunner {
  const { ledger, events } = options;
  const runOnce = (run: StepRun, signal: AbortSignal, fault?: Error): Promise<AttemptOutcome> =>
    run.step.uses === workflowCall
      ? runCall(options, run, { signal, fault, runInner })
      : runAttempt(options, run, { signal, fault });
  const runInner = async (run: StepRun, signal: AbortSignal): Promise<InnerOutcome> => {
    const { hold, position, step } = run;
    const { isMet, fault } = judgeCondition(run);
    if (!isMet) {
      const isHeld = await ledger.skipStep(hold, { position, name: pathOf(run), task: step.uses });
      return { kind: isHeld ? 'skipped' : 'lost' };
    }
    if (step.foreach === undefined || fault) return await runOnce(run, signal, fault);
    return await runItems(options, run, (item) => runOnce(item, signal));
  };
  return async (run, signal) => {
    const { job } = run;
    const outcome = await runInner(run, signal);
    if (outcome.kind === 'skipped') return { status: 'SKIPPED' };
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
  readonly at?: number | undefined;
  readonly next: { readonly kind: 'retry'; readonly afterSeconds: number } | { readonly kind: 'fail' };
}

async function settleFailure(
  { ledger, events, onRetry }: StepRunnerOptions,
  { job, hold, position, done }: StepRun,
  { message, log, next, at = position }: Failure,
): Promise<Extract<StepResult, { status: 'FAILED' }> | undefined> {
  if (next.kind === 'fail') {
    if (!endsJob(job, position, done)) {
      if (await ledger.failStep(hold, position, message, log)) return { status: 'FAILED', error: message };
      events.jobLost(job);
    } else if (await ledger.failJob(hold, position, message, log)) events.jobFailed(job);
  } else if (await ledger.retryStep(hold, at, message, next.afterSeconds, log)) {
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
function judgeCondition({ job, step, done, frame }: StepRun): { isMet: boolean; fault?: Error } {
  if (step.if === undefined) return { isMet: true };
  try {
    return { isMet: isConditionMet(step.if, scopeOf(job, done, { frame })) };
  } catch (error) {
    if (isCodedError(error)) return { isMet: true, fault: error };
    throw error;
  }
}

async function settleInterruption(
  { ledger, events }: StepRunnerOptions,
  { job, hold, position }: StepRun,
  { error, log, at = position }: { error: Interruption; log: StepLog; at?: number | undefined },
): Promise<void> {
  if (error.why === 'lost') return events.jobLost(job);
  log.write('Interrupted: the worker stops');
  if (await ledger.handBack(hold, at, log.lines())) events.jobHandedBack(job);
}

/** A later time is found by the look for unannounced jobs: a timer would keep it in memory. */
const announcedAtMostMs = 3_600_000;

async function settleSuspension(
  { ledger, events, onRetry }: StepRunnerOptions,
  { job, hold, position, kept }: StepRun,
  { wait, log, at = position }: { wait: StepWait; log: StepLog; at?: number | undefined },
): Promise<void> {
  // A job that looks in vain, because what it waited for is gone, says nothing again.
  const lines = readWaitState(kept) ? [] : log.lines();
  if (!(await ledger.suspendJob(hold, at, wait, lines))) return events.jobLost(job);
  events.jobWaits(job, wait);
  const delayMs = Date.parse(wait.until) - Date.now();
  if (delayMs < announcedAtMostMs) onRetry(Math.max(0, delayMs));
}
