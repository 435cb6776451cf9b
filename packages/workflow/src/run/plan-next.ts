import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { endedStepStatuses } from './job-scope.ts';

/** What decides about the order of steps. */
export type PlannedStep = Pick<StoredStep, 'section' | 'continueOnError' | 'parent'>;

/** How a step has ended. */
export type StepOutcome = (typeof endedStepStatuses)[number];

/** The steps that have ended, by their positions. */
export type EndedSteps = ReadonlyMap<number, { readonly status: string }>;

/** What a job does next: run a step, or end. `failed`: the position of the step whose failure makes the job end in ERROR. */
export type NextMove =
  | { readonly kind: 'run'; readonly position: number }
  | { readonly kind: 'end'; readonly failed: number | undefined };

/**
 * Decides what follows. `steps` run one after the other until one fails; then those of `onError` do. Those of `finally` run in
 * either case. A failure in a section ends that section, unless the step has `continueOnError`. The job has failed if any step
 * without `continueOnError` has; the first one counts. `parent`: the step that runs the workflow of these steps, if they are not those
 * of the job itself.
 */
export function planNext(all: readonly PlannedStep[], ended: EndedSteps, parent?: number): NextMove {
  const steps = { all, parent };
  const main = nextIn(undefined, steps, ended);
  if (main.next !== undefined) return { kind: 'run', position: main.next };
  const onError = main.failed === undefined ? nothing : nextIn('onError', steps, ended);
  if (onError.next !== undefined) return { kind: 'run', position: onError.next };
  const last = nextIn('finally', steps, ended);
  if (last.next !== undefined) return { kind: 'run', position: last.next };
  return { kind: 'end', failed: main.failed ?? onError.failed ?? last.failed };
}

/**
 * The positions of steps in `onError` and `finally` that belong to an earlier failure: the job was resumed since, and its own
 * steps go on. They run again when their time comes, with the steps of the workflows that they run.
 */
export function staleHandlers(steps: readonly PlannedStep[], begun: EndedSteps): number[] {
  const { next } = nextIn(undefined, { all: steps, parent: undefined }, onlyEnded(begun));
  if (next === undefined) return [];
  const handlers = new Set(
    [...begun.keys()].filter((position) => {
      const step = steps[position];
      return step?.section !== undefined && step.parent === undefined;
    }),
  );
  return handlers.size === 0 ? [] : withInner(steps, handlers);
}

/** These positions, and those of the steps of the workflows that they run, in order. */
export function withInner(steps: readonly PlannedStep[], positions: Iterable<number>): number[] {
  const all = new Set(positions);
  for (const [position, { parent }] of steps.entries()) if (parent !== undefined && all.has(parent)) all.add(position);
  return [...all].toSorted((one, other) => one - other);
}

/** The steps among those that have begun that are over. */
export function onlyEnded<S extends { readonly status: string }>(begun: ReadonlyMap<number, S>): Map<number, S> {
  return new Map(
    [...begun].filter(([, { status }]) => status === 'COMPLETED' || status === 'FAILED' || status === 'SKIPPED'),
  );
}

interface Progress {
  /** The first step that is to run. */
  readonly next?: number;
  /** The step that ended the section by its failure. */
  readonly failed?: number;
}

const nothing: Progress = {};

/** The steps of a job, or of the workflow that one of its steps runs. */
interface SiblingSteps {
  readonly all: readonly PlannedStep[];
  readonly parent: number | undefined;
}

function nextIn(section: StoredStep['section'], { all, parent }: SiblingSteps, ended: EndedSteps): Progress {
  for (const [position, step] of all.entries()) {
    if (step.section !== section || step.parent !== parent) continue;
    const status = ended.get(position)?.status;
    if (status === undefined) return { next: position };
    if (status === 'FAILED' && step.continueOnError !== true) return { failed: position };
  }
  return nothing;
}
