import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { StepEnd } from '@waybill/workflow/run/job-scope';
import type { Hold } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';

/** A step of a job that is held, with the steps that have ended before it by their positions. */
export interface StepRun {
  readonly job: Job;
  readonly hold: Hold;
  readonly position: number;
  readonly step: StoredStep;
  readonly done: ReadonlyMap<number, StepEnd>;
}
