import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { StepEnd, StepItem } from '@waybill/workflow/run/job-scope';
import type { Hold, StepOutputs, StepProgress } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobPast } from '../../domain/workflows/job-past.ts';
import type { CallFrame } from '../../domain/workflows/job-scope.ts';

/** A step of a job that is held, with the steps that have ended before it by their positions. */
export interface StepRun {
  readonly job: Job;
  readonly hold: Hold;
  /** Of the step, or the place of the item: what the step does is kept under it. */
  readonly position: number;
  readonly step: StoredStep;
  readonly done: ReadonlyMap<number, StepEnd>;
  /** The item that the step runs for. */
  readonly item?: StepItem;
  /** What the step has kept while it waited. */
  readonly kept?: StepOutputs;
  /** Of a step of a workflow that a step of the job runs. */
  readonly frame?: CallFrame;
  /** What the job has done before. */
  readonly past?: JobPast;
  /** What was begun of the items of the step before, by their numbers. */
  readonly items?: ReadonlyMap<number, StepProgress>;
}

/** As messages name it: `compress`, `compress[3]` for an item, `pack/compress` in a workflow that the step `pack` runs. */
export function titleOf({ step: { name }, item, frame }: StepRun): string {
  return `${frame?.title ?? ''}${name}${item ? `[${item.index}]` : ''}`;
}

/** As the ledger names it: without the number of an item. */
export function pathOf({ step: { name }, frame }: StepRun): string {
  return `${frame?.path ?? ''}${name}`;
}
