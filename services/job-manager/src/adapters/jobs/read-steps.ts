import { itemsAtMost } from '@waybill/contracts/configuration/workflow-step';
import type { JobId } from '@waybill/contracts/values/job-id';
import type { Queryable } from '@waybill/postgres/database';
import { isStepSql, placeOf, positionSql } from '@waybill/workflow/run/step-place';
import type { StepProgress } from '../../domain/jobs/job-ledger.ts';

type StepRow = Omit<StepProgress, 'begunAt' | 'endedAt'> & { begunAt: Date | null; endedAt: Date | null };

/**
 * The steps of a job that were begun or skipped, in order, but not those that were forgotten since. What does not run was last
 * changed by its end.
 */
export async function readSteps(database: Queryable, jobId: JobId): Promise<StepProgress[]> {
  return await readRows(database, `job_id = :jobId AND ${isStepSql('position')}`, { jobId });
}

/** The same of the items of steps; `first` and `last`: by their numbers. */
export async function readItems(
  database: Queryable,
  jobId: JobId,
  { first = 0, last = itemsAtMost }: { first?: number; last?: number } = {},
): Promise<StepProgress[]> {
  const bounds = { jobId, lowest: placeOf(0, first), highest: placeOf(0, last + 1) };
  return await readRows(database, 'job_id = :jobId AND position >= :lowest AND position < :highest', bounds);
}

/** How many items of each step have each status, by the positions of the steps. */
export async function countItems(
  database: Queryable,
  jobId: JobId,
): Promise<Map<number, Readonly<Record<string, number>>>> {
  const { rows } = await database.raw<{ rows: { position: number; counts: Record<string, number> }[] }>(
    `SELECT position, jsonb_object_agg(status, count) AS counts FROM (
       SELECT ${positionSql('position')} AS position, status, count(*)::int AS count FROM jobs.steps
       WHERE job_id = :jobId AND NOT ${isStepSql('position')} AND (attempts > 0 OR status <> 'WAITING')
       GROUP BY 1, 2) AS counted GROUP BY position ORDER BY position`,
    { jobId },
  );
  return new Map(rows.map(({ position, counts }) => [position, counts]));
}

async function readRows(
  database: Queryable,
  condition: string,
  bindings: Readonly<Record<string, number>>,
): Promise<StepProgress[]> {
  const { rows } = await database.raw<{ rows: StepRow[] }>(
    `SELECT position, name, task, status, attempts, outputs, error, inputs, log, begun_at AS "begunAt",
       CASE WHEN status <> 'RUNNING' AND attempts > 0 THEN updated_at END AS "endedAt"
     FROM jobs.steps WHERE ${condition} AND (attempts > 0 OR status <> 'WAITING') ORDER BY position`,
    bindings,
  );
  return rows.map((row) => ({ ...row, begunAt: row.begunAt ?? undefined, endedAt: row.endedAt ?? undefined }));
}
