import type { Queryable } from '@waybill/postgres/database';
import type { JobCursor, JobPage, JobQuery, JobSortField } from '../domain/job-query.ts';
import type { Job } from '../domain/job.ts';
import { jobOf, type JobRow } from './job-row.ts';

type Filters = JobQuery['filters'];

const equalities = {
  id: 'id = ?::bigint',
  status: 'status = ?',
  queue: 'queue = ?',
  contract: 'contract = ?',
  workflowTemplateId: 'workflow_template_id = ?::bigint',
  workflowTemplateName: 'workflow_template_name = ?',
  workflowTemplateRevision: 'workflow_template_revision = ?::bigint',
  createdAtFrom: 'created_at >= ?::timestamptz',
  createdAtTo: 'created_at <= ?::timestamptz',
  updatedAtFrom: 'updated_at >= ?::timestamptz',
  updatedAtTo: 'updated_at <= ?::timestamptz',
  extIPID: 'ext_ipid = ?',
  submittedBy: 'submitted_by = ?',
  dfiid: 'dfiid = ?',
  lcid: 'lcid = ?',
  actor: 'actor = ?',
  contractAction: 'contract_action = ?',
  contractType: 'contract_type = ?',
  contractActionTrigger: 'contract_action_trigger = ?',
} as const satisfies Record<keyof Filters, string>;

/** The column of each sort field, the type that its cursor is read as, and the value that a job's cursor holds. */
const sortings = {
  id: { column: 'id', type: 'bigint', valueOf: (job) => String(job.id) },
  status: { column: 'status', type: 'text', valueOf: (job) => job.status },
  queue: { column: 'queue', type: 'text', valueOf: (job) => job.queue },
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
  updatedAt: { column: 'updated_at', type: 'timestamptz', valueOf: (job) => job.updatedAt.toISOString() },
} as const satisfies Record<JobSortField, { column: string; type: string; valueOf: (job: Job) => string }>;

/** A page of jobs. It begins after the cursor's job, so that no job is repeated or left out while others are added. */
export async function listJobs(database: Queryable, { filters, sort, after, limit }: JobQuery): Promise<JobPage> {
  const conditions: string[] = [];
  const values: (string | number | Date)[] = [];
  for (const [name, value] of Object.entries(filters)) {
    if (value === undefined) continue;
    conditions.push(equalities[name as keyof Filters]);
    values.push(value);
  }
  const { column, type, valueOf } = sortings[sort.field];
  if (after) {
    conditions.push(`(${column}, id) ${sort.descending ? '<' : '>'} (?::${type}, ?::bigint)`);
    values.push(after.value, after.id);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const direction = sort.descending ? 'DESC' : 'ASC';
  const order = column === 'id' ? `id ${direction}` : `${column} ${direction}, id ${direction}`;
  const { rows } = await database.raw<{ rows: JobRow[] }>(
    `SELECT * FROM jobs.jobs ${where} ORDER BY ${order} LIMIT ?`,
    [...values, limit + 1],
  );
  const jobs = rows.slice(0, limit).map(jobOf);
  const last = jobs.at(-1);
  return rows.length > limit && last ? { jobs, next: cursorOf(last, valueOf) } : { jobs };
}

function cursorOf(job: Job, valueOf: (job: Job) => string): JobCursor {
  return { value: valueOf(job), id: job.id };
}
