import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Transaction } from '@waybill/postgres/database';
import type { Job } from '../domain/job.ts';
import type { NewJob } from '../domain/new-job.ts';
import { jobOf, type JobRow } from './job-row.ts';

/**
 * Inserts a job with the first line of its history and the message that wakes a worker. `undefined` if there is
 * already one for the IPID, or for the event and the action: the unique keys decide between concurrent inserts.
 */
export async function insertJob(transaction: Transaction, job: NewJob): Promise<Job | undefined> {
  const { rows } = await transaction.raw<{ rows: JobRow[] }>(insertion, valuesOf(job));
  const [row] = rows;
  if (!row) return undefined;
  const made = jobOf(row);
  await appendToOutbox(transaction, [{ topic: 'job-ready', payload: { jobId: made.id, priority: job.priority } }]);
  return made;
}

const columns = [
  'status_message',
  'submitted_by',
  'queue',
  'actor',
  'contract',
  'contract_type',
  'contract_action',
  'contract_action_trigger',
  'workflow_template_id',
  'workflow_template_name',
  'workflow_template_revision',
  'workflow_template_description',
  'steps',
  'variables',
  'file',
  'vfs_id',
  'dfic',
  'chain_depth',
  'resubmission_of',
  'ext_ipid',
  'ipid',
  'event_id',
] as const;

const insertion = `
  WITH made AS (
    INSERT INTO jobs.jobs (${columns.join(', ')}) VALUES (${columns.map((name) => `:${name}`).join(', ')})
    ON CONFLICT DO NOTHING RETURNING *),
  noted AS (
    INSERT INTO jobs.history (job_id, to_status, transition, changed_by, message)
    SELECT id, status, 'submit', submitted_by, status_message FROM made)
  SELECT * FROM made`;

function valuesOf(job: NewJob): Record<(typeof columns)[number], string | number | Buffer | null> {
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
