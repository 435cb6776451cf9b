import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { endedStepStatuses } from './job-scope.ts';

/** What decides about the order of steps. */
export type PlannedStep = Pick<StoredStep, 'section' | 'continueOnError'>;

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
 * without `continueOnError` has; the first one counts.
 */
export function planNext(steps: readonly PlannedStep[], ended: EndedSteps): NextMove {
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
 * steps go on. They run again when their time comes.
 */
export function staleHandlers(steps: readonly PlannedStep[], begun: EndedSteps): number[] {
  const { next } = nextIn(undefined, steps, onlyEnded(begun));
  if (next === undefined) return [];
  return [...begun.keys()].filter((position) => steps[position]?.section !== undefined);
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

function nextIn(section: StoredStep['section'], steps: readonly PlannedStep[], ended: EndedSteps): Progress {
  for (const [position, step] of steps.entries()) {
    if (step.section !== section) continue;
    const status = ended.get(position)?.status;
    if (status === undefined) return { next: position };
    if (status === 'FAILED' && step.continueOnError !== true) return { failed: position };
  }
  return nothing;
}
