import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { StepEnd, StepItem } from '@waybill/workflow/run/job-scope';
import type { Hold, StepOutputs, StepProgress } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';

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
  /** What was begun of the items of the step before, by their numbers. */
  readonly items?: ReadonlyMap<number, StepProgress>;
}
