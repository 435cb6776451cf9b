import type { WorkflowStep } from '@waybill/contracts/configuration/workflow-configuration';
import type { Hold, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';

/** A step of a job that is held, with the results of the steps before it by their positions. */
export interface StepRun {
  readonly job: Job;
  readonly hold: Hold;
  readonly position: number;
  readonly step: WorkflowStep;
  readonly done: ReadonlyMap<number, StepOutputs>;
}
