import { itemsShownAtMost } from '@waybill/contracts/endpoints/jobs/job-detail';
import { readPlace } from '@waybill/workflow/run/step-place';
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
