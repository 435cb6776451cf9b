import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { JobFile } from '@waybill/workflow/run/job-file';

/** The workflow of a job, with the revision and the steps at its creation. */
export interface JobWorkflow {
  readonly templateId: number;
  readonly templateName: string;
  readonly templateRevision: number;
  readonly templateDescription: string;
  readonly steps: readonly StoredStep[];
}

/** The immutable properties of a job. */
export interface JobSpecification {
  readonly submittedBy: UserName;
  readonly queue: string;
  readonly actor: string;
  /** The number of the actor; jobs from before jobs had it have none. */
  readonly actorId?: string | undefined;
  readonly contract: string;
  readonly contractType: string;
  readonly contractAction: string;
  readonly contractActionTrigger: string;
  readonly workflow: JobWorkflow;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The file that started it. */
  readonly file?: JobFile | undefined;
  /** The VFS that the paths of its steps are in. */
  readonly vfsId?: string | undefined;
  readonly dfic: DataflowContext;
  readonly extIPID?: string | undefined;
  readonly resubmissionOf?: JobId | undefined;
  /** How many jobs in a row led to this one, itself among them: 1 for a partner's file and for a submission. */
  readonly chainDepth: number;
}

/** The current state of a job. */
export interface Job extends JobSpecification {
  readonly id: JobId;
  readonly workflowInstanceId: number;
  readonly status: JobStatus;
  readonly statusMessage: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A job in a listing: without its steps, its variables and its file, which can be long. */
export interface ListedJob extends Omit<Job, 'workflow' | 'variables' | 'file'> {
  readonly workflow: Omit<JobWorkflow, 'steps'>;
}
