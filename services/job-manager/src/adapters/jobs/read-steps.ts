import type { JobId } from '@waybill/contracts/values/job-id';
import type { Queryable } from '@waybill/postgres/database';
import type { StepProgress } from '../../domain/jobs/job-ledger.ts';

/** The steps of a job that were begun, in order. */
export async function readSteps(database: Queryable, jobId: JobId): Promise<StepProgress[]> {
  const { rows } = await database.raw<{ rows: StepProgress[] }>(
    'SELECT position, name, task, status, attempts, outputs, error FROM jobs.steps WHERE job_id = ? ORDER BY position',
    [jobId],
  );
  return rows;
}
