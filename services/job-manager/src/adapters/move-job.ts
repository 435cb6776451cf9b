import type { JobId } from '@waybill/contracts/values/job-id';
import type { Queryable } from '@waybill/postgres/database';
import type { ChangeReason } from '../domain/job-register.ts';
import type { Job } from '../domain/job.ts';
import { sourcesOf, transitionTable, type TransitionName } from '../domain/transition-table.ts';
import { jobOf, type JobRow } from './job-row.ts';
import { stepEnding, type StepEnding } from './step-ending.ts';

/** What a change of status applies to: one job, and only as long as this fencing token is the newest when one is given. */
export interface MoveTarget {
  readonly jobId: JobId;
  readonly fence?: string;
}

/** Who changes it and why, and the step that ends with it when there is one. */
export interface MoveReason extends ChangeReason {
  readonly ending?: StepEnding;
}

/**
 * Changes a status according to the transition table, and records it in the history. The UPDATE's WHERE repeats the
 * table's `from`, so that no concurrent change is overwritten. An existing hold of the job is lost. `undefined`:
 * not allowed.
 */
export async function moveJob(
  database: Queryable,
  { jobId, fence }: MoveTarget,
  transition: TransitionName,
  { by, message, ending }: MoveReason,
): Promise<Job | undefined> {
  const step = ending && stepEnding('before', ending);
  const { rows } = await database.raw<{ rows: JobRow[] }>(
    `WITH before AS (
       SELECT id, status FROM jobs.jobs
       WHERE id = :jobId AND status = ANY(:sources) AND (CAST(:fence AS bigint) IS NULL OR fence = :fence) FOR UPDATE),
     ${step ? `${step.sql},` : ''}
     moved AS (
       UPDATE jobs.jobs SET status = :target, status_message = :message, updated_at = now(), fence = fence + 1,
         lease_until = NULL, lease_owner = NULL, run_after = NULL
       FROM before WHERE jobs.id = before.id AND jobs.status = ANY(:sources)
       RETURNING jobs.*, before.status AS status_before),
     noted AS (
       INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
       SELECT id, status_before, status, :transition, :by, status_message FROM moved)
     SELECT * FROM moved`,
    {
      ...step?.bindings,
      jobId,
      fence: fence ?? null,
      sources: [...sourcesOf(transition)],
      target: transitionTable[transition].to,
      transition,
      by,
      message,
    },
  );
  return rows[0] && jobOf(rows[0]);
}
