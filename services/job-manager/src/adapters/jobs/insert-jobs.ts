import { appendSelected, appendSelectedSql } from '@waybill/outbox/append-selected-sql';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { JobSite } from '../../config.ts';
import { computeEventKey } from '../../domain/jobs/compute-ipid.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { NewJob } from '../../domain/jobs/new-job.ts';
import { auditedCreation, type JobCreation } from './audit-job.ts';
import { type InsertedRow, insertedJobOf } from './job-row.ts';

/** A job to insert, with its audit record. */
export interface JobInsertion {
  readonly job: NewJob;
  readonly nodeId: string;
  /** As JSON. */
  readonly text: string;
}

/** Prepares the insertion of a job. */
export function prepareInsertion(site: JobSite, job: NewJob, creation: JobCreation): JobInsertion {
  return {
    job,
    nodeId: site.nodeName,
    text: JSON.stringify({ ...columnsOf(job), ...auditedCreation(site, job, creation) }),
  };
}

/**
 * Inserts jobs, each with the first line of its history and its audit record, in one statement: all of them, or none if
 * it fails. The results are in the order of the jobs; `undefined` if there was ever a job with the IPID, or for the event
 * and the action: the keys, which outlive the jobs, decide between concurrent inserts.
 */
export async function insertJobs(on: Queryable, insertions: readonly JobInsertion[]): Promise<(Job | undefined)[]> {
  const jobs = `[${insertions.map(({ text }) => text).join(',')}]`;
  const rows = await appendSelected(
    on,
    { atMost: insertions.length, nodeId: insertions[0]?.nodeId ?? '' },
    async (given) => {
      const result = await runPrepared<InsertedRow>(on, insertion, { jobs, ...given });
      return { result, appended: result.length };
    },
  );
  const made = new Map(rows.map((row) => [Number(row.position), row]));
  return insertions.map(({ job }, index) => {
    const row = made.get(index + 1);
    return row && insertedJobOf(job, row);
  });
}

/** The columns of a job that its creator decides, and their types. */
const columns = {
  submitted_by: 'text',
  queue: 'text',
  actor: 'text',
  actor_id: 'bigint',
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

const columnNames = Object.keys(columns).join(', ');

/** Keys are inserted in their order, so that two statements with the same keys cannot wait for each other. */
const insertion = prepareStatement(
  'jobs insert',
  `WITH given AS MATERIALIZED (
     SELECT nextval('jobs.job_ids') AS id, job.* FROM ROWS FROM (
       jsonb_to_recordset(CAST(:jobs AS jsonb)) AS (key text, audited jsonb, message text[],
         ${Object.entries(columns)
           .map(([name, type]) => `${name} ${type}`)
           .join(', ')})) WITH ORDINALITY AS job (key, audited, message, ${columnNames}, position)),
   key AS (
     INSERT INTO jobs.idempotency_keys (key, job_id)
     SELECT decode(given.key, 'hex') AS key, id FROM given WHERE given.key IS NOT NULL ORDER BY 1
     ON CONFLICT DO NOTHING RETURNING job_id),
   made AS (
     INSERT INTO jobs.jobs (id, ${columnNames})
     SELECT id, ${columnNames} FROM given WHERE given.key IS NULL OR id IN (SELECT job_id FROM key) ORDER BY id
     RETURNING id, created_at),
   waiting AS (
     INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, since)
     SELECT id, queue, 'SUBMITTED', 'Waiting in queue ''' || queue || '''', created_at, created_at
     FROM made JOIN given USING (id)),
   noted AS (
     INSERT INTO jobs.history (job_id, at, to_status, transition, changed_by, message)
     SELECT id, created_at, 'SUBMITTED', 'submit', submitted_by, 'Waiting in queue ''' || queue || ''''
     FROM made JOIN given USING (id)),
   audited AS (${appendSelectedSql(
     `SELECT audited || jsonb_build_object('entityId', CAST(id AS text),
        'auditMessage', array_to_string(message, CAST(id AS text))) AS payload
      FROM made JOIN given USING (id) ORDER BY id`,
   )})
   SELECT position, id, created_at FROM made JOIN given USING (id)`,
);

function columnsOf(job: NewJob): Record<keyof typeof columns | 'key', unknown> {
  const { workflow } = job;
  return {
    key: keyOf(job)?.toString('hex'),
    submitted_by: job.submittedBy,
    queue: job.queue,
    actor: job.actor,
    actor_id: job.actorId,
    contract: job.contract,
    contract_type: job.contractType,
    contract_action: job.contractAction,
    contract_action_trigger: job.contractActionTrigger,
    workflow_template_id: workflow.templateId,
    workflow_template_name: workflow.templateName,
    workflow_template_revision: workflow.templateRevision,
    workflow_template_description: workflow.templateDescription,
    steps: workflow.steps,
    variables: job.variables,
    file: job.file,
    vfs_id: job.vfsId,
    dfic: job.dfic,
    chain_depth: job.chainDepth,
    resubmission_of: job.resubmissionOf,
    ext_ipid: job.extIPID,
    event_id: job.eventId,
  };
}

/** A submission has its own key; otherwise, one event starts one action once. */
function keyOf({ ipid, eventId, contract, contractAction: action }: NewJob): Buffer | undefined {
  return ipid ?? (eventId === undefined ? undefined : computeEventKey({ event: eventId, contract, action }));
}
