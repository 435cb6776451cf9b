import type { JobId } from '@waybill/contracts/values/job-id';
import type { Transaction } from '@waybill/postgres/database';
import { isStepSql, positionSql } from '@waybill/workflow/run/step-place';
import { continuationOf, type Continuation, type RevisionChange } from '../../domain/jobs/revision-change.ts';
import { readSteps } from './read-steps.ts';
import { retireEffects } from './settle-steps.ts';

/**
 * Gives a job another revision of its workflow, in the transaction that resumes it. The row of a job is written once, but for
 * this: no worker holds the job, and every filter and listing sees the revision that it has. The former one is in its history.
 * False: the job has another revision than `before` already. @throws CodedError `job_revision_refused`
 */
export async function changeRevision(transaction: Transaction, id: JobId, change: RevisionChange): Promise<boolean> {
  const { before, now } = change;
  const continuation = continuationOf(change, await readSteps(transaction, id));
  const { rowCount } = await transaction.raw<{ rowCount: number }>(
    `UPDATE jobs.jobs SET workflow_template_revision = :revision, workflow_template_description = :description,
       steps = CAST(:steps AS jsonb)
     WHERE id = :id AND workflow_template_id = :templateId AND workflow_template_revision = :former`,
    {
      id,
      templateId: now.templateId,
      revision: now.templateRevision,
      description: now.templateDescription,
      steps: JSON.stringify(now.steps),
      former: before.templateRevision,
    },
  );
  if (rowCount !== 1) return false;
  if (continuation.isChanged) await forgetStep(transaction, id, continuation);
  return true;
}

/**
 * The step at this position is another one from now on. What the former one has written does not count as its own, so that it
 * writes by itself.
 */
async function forgetStep(transaction: Transaction, id: JobId, { position, name, task }: Continuation): Promise<void> {
  await retireEffects(transaction, id, [position]);
  await transaction.raw(
    `UPDATE jobs.steps SET status = 'WAITING', attempts = 0, failures = 0, losses = 0, begun_at = NULL, inputs = '{}',
       outputs = '{}', error = '', log = '[]'
     WHERE job_id = :id AND NOT ${isStepSql('position')} AND ${positionSql('position')} = :position`,
    { id, position },
  );
  await transaction.raw(
    `UPDATE jobs.steps SET name = :name, task = :task, attempts = 0, begun_at = NULL, inputs = '{}', outputs = '{}', error = '',
       log = '[]'
     WHERE job_id = :id AND position = :position`,
    { id, position, name, task },
  );
}
