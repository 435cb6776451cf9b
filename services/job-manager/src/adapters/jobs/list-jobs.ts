import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { Queryable } from '@waybill/postgres/database';
import type { JobCursor, JobPage, JobQuery, JobSortField } from '../../domain/jobs/job-query.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { jobOf, withStatus, type JobRow } from './job-row.ts';

type Filters = JobQuery['filters'];

/** Conditions on the immutable part of a job. */
const equalities = {
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
  contractAction: 'contract_action = ?',
  contractType: 'contract_type = ?',
  contractActionTrigger: 'contract_action_trigger = ?',
} as const satisfies Record<Exclude<keyof Filters, keyof typeof stateEqualities>, string>;

/** Conditions on what changes of a job, in `active` or `ended`. */
const stateEqualities = {
  status: 'state.status = ?',
  updatedAtFrom: 'state.updated_at >= ?::timestamptz',
  updatedAtTo: 'state.updated_at <= ?::timestamptz',
} as const;

/** The column of each sort field, the type that its cursor is read as, and the value that a job's cursor holds. */
const sortings = {
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
} as const satisfies Record<JobSortField, { column: string; type: string; valueOf: (job: Job) => string }>;

/** A page of jobs. It begins after the cursor's job, so that no job is repeated or left out while others are added. */
export async function listJobs(database: Queryable, query: JobQuery): Promise<JobPage> {
  const { sort, limit } = query;
  const { valueOf } = sortings[sort.field];
  const { sql, values } = pageSql(query);
  const { rows } = await database.raw<{ rows: JobRow[] }>(sql, values);
  const jobs = rows.slice(0, limit).map(jobOf);
  const last = jobs.at(-1);
  return rows.length > limit && last ? { jobs, next: cursorOf(last, valueOf) } : { jobs };
}

type Value = string | number | Date;

interface PageSql {
  readonly sql: string;
  readonly values: Value[];
}

/**
 * What does not change of a job is searched in `jobs`, and the statuses of the page are looked up afterwards. What
 * changes is searched in `active` and in `ended`, each in the order of the page as far as the page goes.
 */
function pageSql(query: JobQuery): PageSql {
  const { filters, sort } = query;
  const isAboutState =
    sort.field === 'status' ||
    sort.field === 'updatedAt' ||
    (['status', 'updatedAtFrom', 'updatedAtTo'] as const).some((name) => filters[name] !== undefined);
  return isAboutState ? statePageSql(query) : plainPageSql(query);
}

function plainPageSql(query: JobQuery): PageSql {
  const { where, order, values } = selection(query, 'jobs.id');
  const page = `SELECT * FROM jobs.jobs ${where} ORDER BY ${order} LIMIT ?`;
  return {
    sql: `${withStatus(`(${page})`)} ORDER BY ${order}`,
    values: [...values, query.limit + 1],
  };
}

function statePageSql(query: JobQuery): PageSql {
  const { filters, limit } = query;
  const { where, order, values } = selection(query, 'state.job_id');
  const parts = (['active', 'ended'] as const)
    .filter((table) => mayHold(table, filters.status))
    .map(
      (table) => `(
        SELECT jobs.*, state.status, state.status_message, state.updated_at
        FROM jobs.${table} AS state JOIN jobs.jobs ON jobs.id = state.job_id
        ${where} ORDER BY ${order} LIMIT ?)`,
    );
  const outerOrder = order.replaceAll('state.job_id', 'id').replaceAll(/\b(?:state|jobs)\./gu, '');
  return {
    sql: `SELECT * FROM (${parts.join(' UNION ALL ')}) AS page ORDER BY ${outerOrder} LIMIT ?`,
    values: [...parts.flatMap(() => [...values, limit + 1]), limit + 1],
  };
}

/** The condition and the order of a page. `id` is the column that holds the job's number in the index to be used. */
function selection({ filters, sort, after }: JobQuery, id: 'jobs.id' | 'state.job_id') {
  const conditions: string[] = [];
  const values: Value[] = [];
  const sqlOf: Readonly<Record<string, string>> = { ...equalities, ...stateEqualities };
  for (const [name, value] of Object.entries(filters)) {
    const sql = sqlOf[name];
    if (value === undefined || sql === undefined) continue;
    conditions.push(sql.replace('jobs.id', id));
    values.push(value);
  }
  const { type } = sortings[sort.field];
  const column = sort.field === 'id' ? id : sortings[sort.field].column;
  if (after) {
    conditions.push(`(${column}, ${id}) ${sort.descending ? '<' : '>'} (?::${type}, ?::bigint)`);
    values.push(after.value, after.id);
  }
  const direction = sort.descending ? 'DESC' : 'ASC';
  return {
    where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '',
    order: column === id ? `${id} ${direction}` : `${column} ${direction}, ${id} ${direction}`,
    values,
  };
}

const activeStatuses: readonly string[] = ['SUBMITTED', 'SUSPENDED', 'RUNNING'] satisfies JobStatus[];

function mayHold(table: 'active' | 'ended', status: string | undefined): boolean {
  return status === undefined || activeStatuses.includes(status) === (table === 'active');
}

function cursorOf(job: Job, valueOf: (job: Job) => string): JobCursor {
  return { value: valueOf(job), id: job.id };
}
