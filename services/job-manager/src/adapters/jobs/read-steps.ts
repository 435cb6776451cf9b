import type { JobId } from '@waybill/contracts/values/job-id';
import type { Queryable } from '@waybill/postgres/database';
import type { StepProgress } from '../../domain/jobs/job-ledger.ts';

type StepRow = Omit<StepProgress, 'begunAt' | 'endedAt'> & { begunAt: Date | null; endedAt: Date | null };

/**
 * The steps of a job that were begun or skipped, in order, but not those that were forgotten since. What does not run was last
 * changed by its end.
 */
export async function readSteps(database: Queryable, jobId: JobId): Promise<StepProgress[]> {
  const { rows } = await database.raw<{ rows: StepRow[] }>(
    `SELECT position, name, task, status, attempts, outputs, error, inputs, log, begun_at AS "begunAt",
       CASE WHEN status <> 'RUNNING' AND attempts > 0 THEN updated_at END AS "endedAt"
     FROM jobs.steps WHERE job_id = ? AND (attempts > 0 OR status <> 'WAITING') ORDER BY position`,
    [jobId],
  );
  return rows.map((row) => ({ ...row, begunAt: row.begunAt ?? undefined, endedAt: row.endedAt ?? undefined }));
}
