import type { SubmittedJob } from '../jobs/submit-job.ts';

/** A job that a step submits. */
export interface StepSubmission {
  readonly contract: string;
  readonly action: string;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly extIPID?: string | undefined;
}

/** The jobs that a step of a job submits. */
export interface StepSubmissions {
  /**
   * Submits a job for the user of this one, in its dataflow. A step that is tried again finds the job that it has submitted
   * before. @throws CodedError `contract_unknown`, `action_unknown`, `action_not_on_demand`; `validation_failed`: the contract
   * belongs to another actor, or an input of the workflow is missing or wrong; Interruption if the job is held no more
   */
  submitJob(submission: StepSubmission): Promise<SubmittedJob>;
}
