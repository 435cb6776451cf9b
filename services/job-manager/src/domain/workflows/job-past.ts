import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { ItemEnd, StepEnd } from '@waybill/workflow/run/job-scope';
import { staleHandlers, type StepOutcome, withInner } from '@waybill/workflow/run/plan-next';
import { readPlace } from '@waybill/workflow/run/step-place';
import type { Hold, JobLedger, StepProgress } from '../jobs/job-ledger.ts';
import type { Job } from '../jobs/job.ts';
import type { CallFrame } from './job-scope.ts';

/** What a job has begun before, by the positions of its steps. */
export interface JobPast {
  readonly steps: ReadonlyMap<number, StepProgress>;
  /** Of steps that run for items, their own or those of a step around them: by the numbers of the items. */
  readonly items: ReadonlyMap<number, ReadonlyMap<number, StepProgress>>;
}

/** Of a job that has begun nothing. */
export const noPast: JobPast = { steps: new Map(), items: new Map() };

/** Reads what the job has begun; `undefined` if the hold is lost. Steps that ran for an earlier failure are forgotten. */
export async function readPast(
  ledger: Pick<JobLedger, 'stepsOf' | 'itemsOf' | 'forgetSteps'>,
  job: Job,
  hold: Hold,
): Promise<JobPast | undefined> {
  const { steps } = job.workflow;
  const begun = new Map((await ledger.stepsOf(job.id)).map((step) => [step.position, step]));
  const stale = staleHandlers(steps, begun);
  if (stale.length > 0 && !(await ledger.forgetSteps(hold, stale))) return undefined;
  for (const position of stale) begun.delete(position);
  const items = steps.some(({ foreach }) => foreach !== undefined)
    ? groupItems(await ledger.itemsOf(job.id))
    : new Map<number, Map<number, StepProgress>>();
  for (const position of stale) items.delete(position);
  return { steps: begun, items };
}

/** What was begun of a step, for the item of a step around it if there is one. */
export function progressAt(past: JobPast, position: number, item?: number): StepProgress | undefined {
  return item === undefined ? past.steps.get(position) : past.items.get(position)?.get(item);
}

/** The steps that have ended, of the job itself or of a workflow that one of its steps runs. */
export function endedSteps(
  steps: readonly StoredStep[],
  past: JobPast,
  frame?: Pick<CallFrame, 'parent' | 'item'>,
): Map<number, StepEnd> {
  const ended = new Map<number, StepEnd>();
  for (const [position, { name, uses: task, foreach, parent }] of steps.entries()) {
    if (parent !== frame?.parent) continue;
    const progress = progressAt(past, position, frame?.item);
    if (!progress || !isEnded(progress.status)) continue;
    const { status, outputs, error } = progress;
    const items = foreach === undefined ? {} : { items: endsOf(past.items.get(position)) };
    ended.set(position, { name, task, status, outputs, error, ...items });
  }
  return ended;
}

/** What a new attempt at a workflow runs again, by the positions of the steps. */
export interface InnerRepetition {
  /** Steps that have failed: they go on. */
  readonly failed: readonly number[];
  /** Steps that ran for an earlier failure, and at its end: they are forgotten. */
  readonly forgotten: readonly number[];
}

/** What was begun of the workflow that a step runs, and runs again if that step is tried again. */
export function innerRepetition(
  steps: readonly StoredStep[],
  past: JobPast,
  { parent, item }: Pick<CallFrame, 'parent' | 'item'>,
): InnerRepetition {
  const begun = [...steps.keys()].filter(
    (position) => steps[position]?.parent === parent && progressAt(past, position, item) !== undefined,
  );
  const isHandler = (position: number): boolean => steps[position]?.section !== undefined;
  const hasFailed = (position: number): boolean =>
    progressAt(past, position, item)?.status === 'FAILED' && steps[position]?.continueOnError !== true;
  return {
    failed: begun.filter((position) => !isHandler(position) && hasFailed(position)),
    forgotten: withInner(steps, begun.filter(isHandler)),
  };
}

/** The same without what is forgotten of these steps. */
export function forgetIn(past: JobPast, positions: readonly number[], item?: number): JobPast {
  if (positions.length === 0) return past;
  const gone = new Set(positions);
  if (item === undefined) {
    return {
      steps: new Map([...past.steps].filter(([position]) => !gone.has(position))),
      items: new Map([...past.items].filter(([position]) => !gone.has(position))),
    };
  }
  const items = [...past.items].map(([position, group]): [number, ReadonlyMap<number, StepProgress>] => [
    position,
    gone.has(position) ? new Map([...group].filter(([index]) => index !== item)) : group,
  ]);
  return { steps: past.steps, items: new Map(items) };
}

/** The progress of items, by the positions of their steps and their numbers. */
export function groupItems(all: readonly StepProgress[]): Map<number, Map<number, StepProgress>> {
  const groups = new Map<number, Map<number, StepProgress>>();
  for (const progress of all) {
    const { position, item = 0 } = readPlace(progress.position);
    const group = groups.get(position) ?? new Map<number, StepProgress>();
    groups.set(position, group.set(item, progress));
  }
  return groups;
}

function endsOf(items: ReadonlyMap<number, StepProgress> = new Map()): ItemEnd[] {
  return [...items].flatMap(([index, { status, outputs, error }]) =>
    status === 'COMPLETED' || status === 'FAILED' ? [{ index, status, outputs, error }] : [],
  );
}

function isEnded(status: StepProgress['status']): status is StepOutcome {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'SKIPPED';
}
