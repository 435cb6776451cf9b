import { itemsShownAtMost } from '@waybill/contracts/endpoints/jobs/job-detail';
import { readPlace } from '@waybill/workflow/run/step-place';
import { titleOfStep } from '@waybill/workflow/run/step-title';
import type { StepProgress } from './job-ledger.ts';
import type { JobRegister } from './job-register.ts';
import type { Job } from './job.ts';

/** What is shown of the items of a step. */
export interface ShownItems {
  /** Of the step. */
  readonly position: number;
  readonly items: readonly { readonly index: number; readonly progress: StepProgress }[];
  /** Of all items that were begun, by their statuses. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Reads the items of the steps of a job, from a number on. A job without such steps costs nothing. */
export async function findItems(
  register: Pick<JobRegister, 'itemsOf' | 'countItems'>,
  { id, workflow }: Job,
  from: number,
): Promise<ShownItems[]> {
  if (workflow.steps.every(({ foreach }) => foreach === undefined)) return [];
  const counts = await register.countItems(id);
  const places = (await register.itemsOf(id, { first: from, last: from + itemsShownAtMost - 1 })).map((progress) => ({
    progress,
    ...readPlace(progress.position),
  }));
  return [...counts].map(([position, ofStep]) => ({
    position,
    counts: ofStep,
    items: places.flatMap(({ progress, position: at, item: index }) =>
      at === position && index !== undefined ? [{ index, progress }] : [],
    ),
  }));
}

/**
 * The steps with those of workflows that steps with `foreach` run: the ledger has them once for each item, and they are shown as
 * steps with items.
 */
export function withInnerSteps(
  { workflow }: Job,
  begun: readonly StepProgress[],
  items: readonly ShownItems[],
): StepProgress[] {
  const isShown = new Set(begun.map(({ position }) => position));
  const inner = items.flatMap(({ position, counts }): StepProgress[] => {
    const step = workflow.steps[position];
    if (!step || isShown.has(position)) return [];
    const name = titleOfStep(workflow.steps, position);
    return [
      {
        position,
        name,
        task: step.uses,
        status: statusOf(counts),
        attempts: 1,
        outputs: {},
        error: '',
        inputs: {},
        log: [],
      },
    ];
  });
  return [...begun, ...inner].toSorted((one, other) => one.position - other.position);
}

const statuses = ['RUNNING', 'WAITING', 'ERROR', 'FAILED', 'COMPLETED'] as const;

/** The status of a step whose items have these: that of the items which are furthest from their end. */
function statusOf(counts: ShownItems['counts']): StepProgress['status'] {
  return statuses.find((status) => (counts[status] ?? 0) > 0) ?? 'SKIPPED';
}
