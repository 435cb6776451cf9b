import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateInputs, evaluateOutputs } from '@waybill/workflow/run/call-inputs';
import type { StepEnd } from '@waybill/workflow/run/job-scope';
import { planNext } from '@waybill/workflow/run/plan-next';
import { placeOf, readPlace } from '@waybill/workflow/run/step-place';
import { z } from 'zod';
import type { JobLedger, StepAttempt } from '../../domain/jobs/job-ledger.ts';
import { decideAfterFailure } from '../../domain/workflows/decide-after-failure.ts';
import { describeFailure } from '../../domain/workflows/describe-failure.ts';
import { describeInputs } from '../../domain/workflows/describe-inputs.ts';
import { endedSteps, forgetIn, innerRepetition, noPast, progressAt } from '../../domain/workflows/job-past.ts';
import { type CallFrame, scopeOf } from '../../domain/workflows/job-scope.ts';
import { createStepLog } from '../../domain/workflows/step-log.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { AttemptOutcome } from './run-attempt.ts';
import { pathOf, type StepRun, titleOf } from './step-run.ts';

/** What running a workflow as a step needs. */
export interface CallRunnerOptions {
  readonly ledger: Pick<JobLedger, 'beginStep' | 'completeStep' | 'failStep' | 'repeatSteps'>;
  readonly events: Pick<JobManagerEvents, 'stepFailed'>;
}

/** What came of a step of such a workflow: nothing of it is written down but that it was skipped. */
export type InnerOutcome = AttemptOutcome | { readonly kind: 'skipped' };

/** How the attempt runs. `fault`: why it fails before its first step. */
export interface CallAttempt {
  readonly signal: AbortSignal;
  readonly fault?: Error | undefined;
  readonly runInner: (run: StepRun, signal: AbortSignal) => Promise<InnerOutcome>;
}

/** The parameters are the inputs of the workflow. */
const anyInputs = z.object({});

/**
 * Runs the steps of a workflow that a step runs, from the first unfinished one. The attempt goes on where it was if the job was
 * interrupted, has waited, or tries one of these steps again; a new attempt goes on at the step that has failed.
 */
export async function runCall(options: CallRunnerOptions, run: StepRun, attempt: CallAttempt): Promise<AttemptOutcome> {
  const { job, step, done, item, frame: outer } = run;
  const inputs = attempt.fault ?? inputsOf(run);
  const shown = describeInputs({ job, step, done, schema: anyInputs, item, frame: outer });
  const begun = await beginCall(options, run, shown.inputs);
  if (!begun) return { kind: 'lost' };
  const log = createStepLog(begun.attempts, shown.redact);
  const failed = (message: string, error: Error): AttemptOutcome => {
    const next = decideAfterFailure(step, begun.failures + 1, error);
    options.events.stepFailed(job, step, error, next);
    log.write(message);
    return { kind: 'failed', message, log, next };
  };
  const failedBy = (error: Error): AttemptOutcome =>
    failed(shown.redact.text(describeFailure(titleOf(run), error)), error);
  if (inputs instanceof Error) return failedBy(inputs);
  const inner: StepRun = { ...run, past: begun.past, frame: frameOf(run, inputs) };
  const ended = endedSteps(job.workflow.steps, begun.past, inner.frame);
  using limit = limitOf(run);
  const left = await runSteps(options, { inner, ended, limit: limit.signal }, attempt);
  if (left.kind === 'lost') return left;
  if (limit.signal.aborted && !attempt.signal.aborted) return failedBy(limit.reason);
  if (left.kind !== 'ended') return left;
  const error = left.failed === undefined ? undefined : ended.get(left.failed)?.error;
  if (error !== undefined) return failed(error, new CodedError('job_step_failed', { detail: error }));
  try {
    const scope = scopeOf(job, ended, { now: job.createdAt, frame: inner.frame });
    return { kind: 'completed', outputs: evaluateOutputs(step.call?.outputs ?? {}, scope), log };
  } catch (fault) {
    if (isCodedError(fault)) return failedBy(fault);
    throw fault;
  }
}

/** The inputs; the same whenever the attempt goes on: the time is that of the job's creation. */
function inputsOf({ job, step, done, item, frame }: StepRun): Record<string, unknown> | Error {
  try {
    return evaluateInputs(step, scopeOf(job, done, { now: job.createdAt, item, frame }));
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
}

function frameOf(run: StepRun, variables: CallFrame['variables']): CallFrame {
  const { position, item } = readPlace(run.position);
  return { parent: position, title: `${titleOf(run)}/`, path: `${pathOf(run)}/`, variables, item };
}

type Begun = Pick<StepAttempt, 'attempts' | 'failures'> & { readonly past: NonNullable<StepRun['past']> };

/** Begins an attempt, or goes on with the one that was begun. `undefined`: the hold is lost. */
async function beginCall(
  { ledger }: CallRunnerOptions,
  run: StepRun,
  inputs: Readonly<Record<string, string>>,
): Promise<Begun | undefined> {
  const { job, hold, position: place, step, past = noPast } = run;
  const { position, item } = readPlace(place);
  const before = progressAt(past, position, item);
  if (before?.status === 'RUNNING') return { attempts: before.attempts, failures: before.attempts - 1, past };
  const { failed, forgotten } = innerRepetition(job.workflow.steps, past, { parent: position, item });
  const places = (positions: readonly number[]): number[] => positions.map((inner) => placeOf(inner, item));
  const isRepeated = failed.length + forgotten.length > 0;
  if (isRepeated && !(await ledger.repeatSteps(hold, { failed: places(failed), forgotten: places(forgotten) }))) {
    return undefined;
  }
  const begun = await ledger.beginStep(hold, { position: place, name: pathOf(run), task: step.uses, inputs });
  return begun && { ...begun, past: forgetIn(past, [...failed, ...forgotten], item) };
}

/** The time of the attempt is over: from now on, or since it went on after an interruption. */
function limitOf(run: StepRun): Disposable & { readonly signal: AbortSignal; readonly reason: CodedError } {
  const { timeoutSeconds } = run.step;
  const reason = new CodedError('job_step_failed', {
    detail: `the workflow of the step '${titleOf(run)}' took longer than ${timeoutSeconds} s`,
  });
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(reason), timeoutSeconds * 1_000);
  return { signal: controller.signal, reason, [Symbol.dispose]: () => clearTimeout(timer) };
}

interface Running {
  /** The step that runs the workflow, in whose frame its steps run. */
  readonly inner: StepRun;
  readonly ended: Map<number, StepEnd>;
  readonly limit: AbortSignal;
}

type Left =
  | Exclude<AttemptOutcome, { kind: 'completed' }>
  | { readonly kind: 'ended'; readonly failed: number | undefined };

/** Runs the steps until they have ended, or the job does not go on here for now. */
async function runSteps(
  options: CallRunnerOptions,
  { inner, ended, limit }: Running,
  { signal, runInner }: CallAttempt,
): Promise<Left> {
  const { steps } = inner.job.workflow;
  const either = AbortSignal.any([signal, limit]);
  for (;;) {
    const next = planNext(steps, ended, inner.frame?.parent);
    if (next.kind === 'end') return { kind: 'ended', failed: next.failed };
    if (limit.aborted) return { kind: 'ended', failed: undefined };
    const run = innerRun(inner, next.position, ended);
    const settled = await settleInner(options, run, { outcome: await runInner(run, either), isLate: limit.aborted });
    if ('kind' in settled) return settled;
    ended.set(next.position, settled);
  }
}

/** The run of a step of the workflow. */
function innerRun(inner: StepRun, position: number, done: ReadonlyMap<number, StepEnd>): StepRun {
  const { item: _item, kept: _kept, items: _items, ...rest } = inner;
  const { job, frame, past = noPast } = inner;
  const step = job.workflow.steps[position];
  if (!step) throw new Error(`the workflow has no step ${position}`);
  const kept = progressAt(past, position, frame?.item)?.outputs;
  const items = step.foreach === undefined ? undefined : past.items.get(position);
  const place = placeOf(position, frame?.item);
  return { ...rest, position: place, step, done, ...(kept && { kept }), ...(items && { items }) };
}

/** Writes down how a step of the workflow has ended. One that has not ended is left to what runs the job. */
async function settleInner(
  { ledger }: CallRunnerOptions,
  { hold, position: place, step: { name, uses: task } }: StepRun,
  { outcome, isLate }: { readonly outcome: InnerOutcome; readonly isLate: boolean },
): Promise<StepEnd | Exclude<Left, { kind: 'ended' }>> {
  const end = { name, task, outputs: {}, error: '', ...('items' in outcome && { items: outcome.items }) };
  if (outcome.kind === 'lost') return outcome;
  if (outcome.kind === 'skipped') return { ...end, status: 'SKIPPED' };
  if (outcome.kind === 'completed') {
    const { outputs, log } = outcome;
    if (!(await ledger.completeStep(hold, place, outputs, log.lines()))) return { kind: 'lost' };
    return { ...end, status: 'COMPLETED', outputs };
  }
  const { at = place } = outcome;
  if (outcome.kind !== 'failed' || (outcome.next.kind === 'retry' && !isLate)) return { ...outcome, at };
  const { message: error, log } = outcome;
  if (!(await ledger.failStep(hold, place, error, log.lines()))) return { kind: 'lost' };
  return { ...end, status: 'FAILED', error };
}
