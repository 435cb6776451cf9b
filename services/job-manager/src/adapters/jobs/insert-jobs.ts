import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { Job } from '../../domain/jobs/job.ts';
import type { NewJob } from '../../domain/jobs/new-job.ts';
import { jobOf, type JobRow } from './job-row.ts';

/**
 * Inserts a job with the first line of its history, in one statement. `undefined` if there is already one for the IPID,
 * or for the event and the action: the unique keys decide between concurrent inserts.
 */
export async function insertJob(database: Queryable, job: NewJob): Promise<Job | undefined> {
  const [row] = await runPrepared<JobRow>(database, insertion, valuesOf(job));
  return row && jobOf(row);
}

/** The columns of a job that its creator decides, and their types. */
const columns = {
  submitted_by: 'text',
  queue: 'text',
  actor: 'text',
  contract: 'text',
  contract_type: 'text',
  contract_action: 'text',
  contract_action_trigger: 'text',
  workflow_template_id: 'bigint',
  workflow_template_name: 'text',
  workflow_template_revision: 'integer',
  workflow_template_description: 'text',
  steps: 'jsonb',
  variables: 'jsonb',
  file: 'jsonb',
  vfs_id: 'text',
  dfic: 'jsonb',
  chain_depth: 'integer',
  resubmission_of: 'bigint',
  ext_ipid: 'text',
  event_id: 'text',
} as const;

const insertion = prepareStatement(
  'jobs insert',
  `WITH number AS (SELECT nextval('jobs.job_ids') AS id),
   key AS (
     INSERT INTO jobs.idempotency_keys (key, job_id) SELECT CAST(:ipid AS bytea), id FROM number
     WHERE CAST(:ipid AS bytea) IS NOT NULL ON CONFLICT DO NOTHING RETURNING job_id),
   made AS (
     INSERT INTO jobs.jobs (id, ${Object.keys(columns).join(', ')})
     SELECT id, ${Object.entries(columns)
       .map(([name, type]) => `CAST(:${name} AS ${type})`)
       .join(', ')}
     FROM number WHERE CAST(:ipid AS bytea) IS NULL OR EXISTS (SELECT FROM key)
     ON CONFLICT DO NOTHING RETURNING *),
   waiting AS (
     INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, since)
     SELECT id, queue, 'SUBMITTED', CAST(:status_message AS text), created_at, created_at FROM made),
   noted AS (
     INSERT INTO jobs.history (job_id, at, to_status, transition, changed_by, message)
     SELECT id, created_at, 'SUBMITTED', 'submit', submitted_by, CAST(:status_message AS text) FROM made)
   SELECT made.*, 'SUBMITTED' AS status, CAST(:status_message AS text) AS status_message, created_at AS updated_at FROM made`,
);

type Column = keyof typeof columns | 'status_message' | 'ipid';

function valuesOf(job: NewJob): Record<Column, string | number | Buffer | null> {
  const { workflow } = job;
  return {
    status_message: `Waiting in queue '${job.queue}'`,
    submitted_by: job.submittedBy,
    queue: job.queue,
    actor: job.actor,
    contract: job.contract,
    contract_type: job.contractType,
    contract_action: job.contractAction,
    contract_action_trigger: job.contractActionTrigger,
    workflow_template_id: workflow.templateId,
    workflow_template_name: workflow.templateName,
    workflow_template_revision: workflow.templateRevision,
    workflow_template_description: workflow.templateDescription,
    steps: JSON.stringify(workflow.steps),
    variables: JSON.stringify(job.variables),
    file: job.file ? JSON.stringify(job.file) : null,
    vfs_id: job.vfsId ?? null,
    dfic: JSON.stringify(job.dfic),
    chain_depth: job.chainDepth,
    resubmission_of: job.resubmissionOf ?? null,
    ext_ipid: job.extIPID ?? null,
    ipid: job.ipid ?? null,
    event_id: job.eventId ?? null,
  };
}
