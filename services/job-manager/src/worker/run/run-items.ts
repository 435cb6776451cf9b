import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateItems, itemRulesOf, type ItemRules } from '@waybill/workflow/run/foreach-items';
import type { ItemEnd } from '@waybill/workflow/run/job-scope';
import { placeOf } from '@waybill/workflow/run/step-place';
import type { JobLedger } from '../../domain/jobs/job-ledger.ts';
import { describeFailure } from '../../domain/workflows/describe-failure.ts';
import { scopeOf } from '../../domain/workflows/job-scope.ts';
import { createStepLog, type StepLog } from '../../domain/workflows/step-log.ts';
import type { AttemptOptions, AttemptOutcome } from './run-attempt.ts';
import { pathOf, type StepRun, titleOf } from './step-run.ts';

/** What running the items of a step needs. */
export interface ItemRunnerOptions extends Pick<AttemptOptions, 'events'> {
  readonly ledger: Pick<JobLedger, 'beginStep' | 'completeStep' | 'failStep' | 'postponeItem'>;
  readonly itemsAtOnce?: number;
}

/** What is known while items run. */
interface Progress {
  readonly ended: Map<number, ItemEnd>;
  /** Messages and pauses of items that are to be tried again. */
  readonly postponed: Map<number, { readonly message: string; readonly afterSeconds: number }>;
  /** Why no other item begins. */
  stopped?: Extract<AttemptOutcome, { kind: 'interrupted' | 'lost' }>;
}

/**
 * Runs a step for the items of its list that have not ended, in their order, some at the same time. Each has attempts, effects
 * and an end of its own. Items that are to be tried again wait together, while the job occupies no worker. `runItem`: runs one.
 */
export async function runItems(
  options: ItemRunnerOptions,
  run: StepRun,
  runItem: (item: StepRun) => Promise<AttemptOutcome>,
): Promise<AttemptOutcome> {
  const { job, hold, position, step, items: before } = run;
  const rules = itemRulesOf(step.foreach ?? []);
  const list = listOf(rules, run);
  const inputs = { foreach: list instanceof Error ? 'no list' : `${list.length} items` };
  const begun = await options.ledger.beginStep(hold, { position, name: pathOf(run), task: step.uses, inputs });
  if (!begun) return { kind: 'lost' };
  const log = createStepLog(begun.attempts, { text: (text) => text, line: (text) => text });
  if (list instanceof Error) {
    options.events.stepFailed(job, step, list, { kind: 'fail' });
    return failed(describeFailure(titleOf(run), list), { log, next: { kind: 'fail' }, items: [] });
  }
  const progress: Progress = { ended: new Map(), postponed: new Map() };
  for (const [index, { status, outputs, error }] of before ?? []) {
    if (status === 'COMPLETED' || status === 'FAILED') progress.ended.set(index, { index, status, outputs, error });
  }
  const waiting = [...list.entries()].filter(([index]) => !progress.ended.has(index)).values();
  const runNext = async (): Promise<void> => {
    for (const [index, value] of waiting) {
      if (isOver(progress, rules)) return;
      const item = { ...run, position: placeOf(position, index), item: { index, value } };
      await settleItem(options, item, progress, await runItem(item));
    }
  };
  const lanes = Math.min(rules.parallelism, options.itemsAtOnce ?? Infinity, list.length);
  await Promise.all(Array.from({ length: lanes }, runNext));
  return concludeItems(progress, { log, rules, count: list.length });
}

/** Whether no other item begins. */
function isOver({ stopped, ended }: Progress, { continueOnError }: ItemRules): boolean {
  if (stopped !== undefined) return true;
  return !continueOnError && [...ended.values()].some(({ status }) => status === 'FAILED');
}

/** The list; the same whenever the step begins: the time is that of the job's creation. */
function listOf(rules: ItemRules, { job, done, frame }: StepRun): readonly unknown[] | Error {
  try {
    return evaluateItems(rules, scopeOf(job, done, { now: job.createdAt, frame }));
  } catch (error) {
    if (isCodedError(error)) return error;
    throw error;
  }
}

/** Writes down what came of an item. */
async function settleItem(
  { ledger }: ItemRunnerOptions,
  { hold, position: place, item }: StepRun,
  progress: Progress,
  outcome: AttemptOutcome,
): Promise<void> {
  const index = item?.index ?? 0;
  const stop = (why: NonNullable<Progress['stopped']>): void => {
    progress.stopped ??= why;
  };
  switch (outcome.kind) {
    case 'completed': {
      const { outputs, log } = outcome;
      if (!(await ledger.completeStep(hold, place, outputs, log.lines()))) return stop({ kind: 'lost' });
      progress.ended.set(index, { index, status: 'COMPLETED', outputs, error: '' });
      return;
    }
    case 'failed': {
      const { message, log, next, at = place } = outcome;
      const write = next.kind === 'fail' ? ledger.failStep : ledger.postponeItem;
      if (!(await write(hold, at, message, log.lines()))) return stop({ kind: 'lost' });
      if (next.kind === 'fail') progress.ended.set(index, { index, status: 'FAILED', outputs: {}, error: message });
      else progress.postponed.set(index, { message, afterSeconds: next.afterSeconds });
      return;
    }
    case 'interrupted':
      stop(outcome);
      if (outcome.error.why !== 'lost') {
        await ledger.postponeItem(hold, outcome.at ?? place, undefined, outcome.log.lines());
      }
      return;
    case 'suspended':
    case 'lost':
      return stop({ kind: 'lost' });
  }
}

/** What follows for the step when no item runs any more. */
function concludeItems(
  { ended, postponed, stopped }: Progress,
  { log, rules, count }: { log: StepLog; rules: ItemRules; count: number },
): AttemptOutcome {
  if (stopped) return stopped.kind === 'interrupted' ? { ...stopped, log } : stopped;
  const items = [...ended.values()].toSorted((one, other) => one.index - other.index);
  const errors = items.flatMap(({ status, error }) => (status === 'FAILED' ? [error] : []));
  const [again] = postponed.values();
  if (again && (errors.length === 0 || rules.continueOnError)) {
    const afterSeconds = Math.max(...[...postponed.values()].map((one) => one.afterSeconds));
    return failed(again.message, { log, next: { kind: 'retry', afterSeconds }, items });
  }
  const [error] = errors;
  if (error === undefined) return { kind: 'completed', outputs: {}, items, log };
  return failed(`${error} (${errors.length} of ${count} items failed)`, { log, next: { kind: 'fail' }, items });
}

function failed(
  message: string,
  rest: Pick<Extract<AttemptOutcome, { kind: 'failed' }>, 'log' | 'next' | 'items'>,
): AttemptOutcome {
  rest.log.write(message);
  return { kind: 'failed', message, ...rest };
}
