import type { jobPartFilters } from '@waybill/contracts/endpoints/jobs/job-filters';
import { isOfPresentActor } from '@waybill/directory/access/present-actor-sql';
import type { JobPartFilters, JobQuery, JobSortField } from '../../domain/jobs/job-query.ts';
import type { ListedJob } from '../../domain/jobs/job.ts';

type Filters = JobQuery['filters'];

/** Conditions on the immutable part of a job. */
export const equalities = {
  id: 'jobs.id = ?::bigint',
  queue: 'jobs.queue = ?',
  contract: 'contract = ?',
  workflowTemplateId: 'workflow_template_id = ?::bigint',
  workflowTemplateName: 'workflow_template_name = ?',
  workflowTemplateRevision: 'workflow_template_revision = ?::bigint',
  createdAtFrom: 'created_at >= ?::timestamptz',
  createdAtTo: 'created_at <= ?::timestamptz',
  extIPID: 'ext_ipid = ?',
  submittedBy: 'submitted_by = ?',
  dfiid: 'dfiid = ?',
  lcid: 'lcid = ?',
  actor: 'actor = ?',
  actors: `jobs.actor = ANY (?) AND ${isOfPresentActor}`,
  contractAction: 'contract_action = ?',
  contractType: 'contract_type = ?',
  contractActionTrigger: 'contract_action_trigger = ?',
} as const satisfies Record<Exclude<keyof Filters, keyof typeof stateEqualities | keyof JobPartFilters>, string>;

/** The columns of names that can be searched by a part. Each has an index that begins with it. */
export const nameColumns = {
  queue: 'queue',
  contract: 'contract',
  workflowTemplateName: 'workflow_template_name',
  submittedBy: 'submitted_by',
  actor: 'actor',
  contractAction: 'contract_action',
} as const satisfies Record<(typeof jobPartFilters)[keyof typeof jobPartFilters], string>;

/** Conditions on what changes of a job, in `active` or `ended`. */
export const stateEqualities = {
  status: 'state.status = ?',
  updatedAtFrom: 'state.updated_at >= ?::timestamptz',
  updatedAtTo: 'state.updated_at <= ?::timestamptz',
} as const;

/** The column of each sort field, the type that its cursor is read as, and the value that a job's cursor holds. */
export const sortings = {
  id: { column: 'jobs.id', type: 'bigint', valueOf: (job) => String(job.id) },
  status: { column: 'state.status', type: 'text', valueOf: (job) => job.status },
  queue: { column: 'jobs.queue', type: 'text', valueOf: (job) => job.queue },
  contract: { column: 'contract', type: 'text', valueOf: (job) => job.contract },
  workflowTemplateId: {
    column: 'workflow_template_id',
    type: 'bigint',
    valueOf: (job) => String(job.workflow.templateId),
  },
  workflowTemplateName: {
    column: 'workflow_template_name',
    type: 'text',
    valueOf: (job) => job.workflow.templateName,
  },
  workflowTemplateRevision: {
    column: 'workflow_template_revision',
    type: 'bigint',
    valueOf: (job) => String(job.workflow.templateRevision),
  },
  submittedBy: { column: 'submitted_by', type: 'text', valueOf: (job) => job.submittedBy },
  createdAt: { column: 'created_at', type: 'timestamptz', valueOf: (job) => job.createdAt.toISOString() },
  updatedAt: { column: 'state.updated_at', type: 'timestamptz', valueOf: (job) => job.updatedAt.toISOString() },
} as const satisfies Record<JobSortField, { column: string; type: string; valueOf: (job: ListedJob) => string }>;
