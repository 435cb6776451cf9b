import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { jobIdSchema } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { JobFile } from '@waybill/workflow/run/job-file';
import type { Job, ListedJob } from '../../domain/jobs/job.ts';
import type { NewJob } from '../../domain/jobs/new-job.ts';

/** Jobs of `source`, in the form of `jobs.jobs`: the immutable row of each, and its status, which `active` or `ended` has. */
export const withStatus = (source: string): string => `
  SELECT jobs.*, coalesce(active.status, ended.status) AS status,
    coalesce(active.status_message, ended.status_message) AS status_message,
    coalesce(active.updated_at, ended.updated_at) AS updated_at
  FROM ${source} AS jobs LEFT JOIN jobs.active ON active.job_id = jobs.id LEFT JOIN jobs.ended ON ended.job_id = jobs.id`;

/** All jobs. */
export const jobsWithStatus = withStatus('jobs.jobs');

/** The columns of `jobs.jobs` that a listing needs: a job without what can be long. */
export const listedColumns = [
  'id',
  'created_at',
  'submitted_by',
  'queue',
  'actor',
  'actor_id',
  'contract',
  'contract_type',
  'contract_action',
  'contract_action_trigger',
  'workflow_template_id',
  'workflow_template_name',
  'workflow_template_revision',
  'workflow_template_description',
  'vfs_id',
  'dfic',
  'chain_depth',
  'resubmission_of',
  'ext_ipid',
]
  .map((column) => `jobs.${column}`)
  .join(', ');

/** A row with `listedColumns` and the status. */
export interface ListedRow {
  id: string;
  status: JobStatus;
  status_message: string;
  created_at: Date;
  updated_at: Date;
  submitted_by: UserName;
  queue: string;
  actor: string;
  actor_id: string | null;
  contract: string;
  contract_type: string;
  contract_action: string;
  contract_action_trigger: string;
  workflow_template_id: string;
  workflow_template_name: string;
  workflow_template_revision: number;
  workflow_template_description: string;
  vfs_id: string | null;
  dfic: DataflowContext;
  chain_depth: number;
  resubmission_of: string | null;
  ext_ipid: string | null;
}

/** A row of `jobsWithStatus`. */
export interface JobRow extends ListedRow {
  steps: StoredStep[];
  variables: Record<string, unknown>;
  file: JobFile | null;
}

/** The job that a row holds. */
export function jobOf(row: JobRow): Job {
  const { workflow, ...listed } = listedJobOf(row);
  const { steps, variables, file } = row;
  return { ...listed, workflow: { ...workflow, steps }, variables, file: file ?? undefined };
}

/** The job that a row of a listing holds. */
export function listedJobOf(row: ListedRow): ListedJob {
  return {
    id: jobIdSchema.parse(Number(row.id)),
    status: row.status,
    statusMessage: row.status_message,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    submittedBy: row.submitted_by,
    queue: row.queue,
    actor: row.actor,
    actorId: row.actor_id ?? undefined,
    contract: row.contract,
    contractType: row.contract_type,
    contractAction: row.contract_action,
    contractActionTrigger: row.contract_action_trigger,
    workflowInstanceId: Number(row.id),
    workflow: {
      templateId: Number(row.workflow_template_id),
      templateName: row.workflow_template_name,
      templateRevision: row.workflow_template_revision,
      templateDescription: row.workflow_template_description,
    },
    vfsId: row.vfs_id ?? undefined,
    dfic: row.dfic,
    extIPID: row.ext_ipid ?? undefined,
    resubmissionOf: row.resubmission_of === null ? undefined : jobIdSchema.parse(Number(row.resubmission_of)),
    chainDepth: row.chain_depth,
  };
}

/** What PostgreSQL adds to a job that it inserts. */
export interface InsertedRow {
  /** Of the job among those that were inserted with it; from 1. */
  position: string;
  id: string;
  created_at: Date;
}

/** The job that was inserted. */
export function insertedJobOf({ ipid: _ipid, eventId: _eventId, ...job }: NewJob, row: InsertedRow): Job {
  const id = jobIdSchema.parse(Number(row.id));
  return {
    ...job,
    id,
    workflowInstanceId: id,
    status: 'SUBMITTED',
    statusMessage: `Waiting in queue '${job.queue}'`,
    createdAt: row.created_at,
    updatedAt: row.created_at,
  };
}
