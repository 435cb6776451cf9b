import type { JobId } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { ChangeReason } from '../../domain/jobs/job-register.ts';
import { sourcesOf, transitionTable, type TransitionName } from '../../domain/jobs/transition-table.ts';
import { endingBindings, stepEndingSql, type StepEnding } from './settle-steps.ts';

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
 * Changes a status according to the transition table, and records it in the history. The statement repeats the table's
 * `from`, so that no concurrent change is overwritten. An existing hold of the job is lost. False: not allowed, or
 * changed at the same time by another.
 */
export async function moveJob(
  database: Queryable,
  { jobId, fence }: MoveTarget,
  transition: TransitionName,
  { by, message, ending, onlyFrom }: MoveReason,
): Promise<boolean> {
  const rows = await runPrepared(database, statementOf(transition, ending !== undefined), {
    ...(ending && endingBindings(ending)),
    jobId: String(jobId),
    fence: fence ?? null,
    sources: sourcesOf(transition).filter((status) => onlyFrom?.includes(status) !== false),
    target: transitionTable[transition].to,
    transition,
    by,
    message,
  });
  return rows.length === 1;
}

const statements = new Map<string, PreparedStatement>();

/** One statement for each transition, with and without the end of a step. */
function statementOf(transition: TransitionName, endsStep: boolean): PreparedStatement {
  const name = `jobs ${transition}${endsStep ? ' with step' : ''}`;
  const known = statements.get(name);
  if (known) return known;
  const statement = prepareStatement(
    name,
    `WITH ${sourceSql(transition)},
     ${endsStep ? `${stepEndingSql('before')},` : ''}
     noted AS (
       INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
       SELECT id, status, CAST(:target AS text), CAST(:transition AS text), CAST(:by AS text), CAST(:message AS text)
       FROM before)
     SELECT true AS moved FROM before`,
  );
  statements.set(name, statement);
  return statement;
}

const condition = `job_id = CAST(:jobId AS bigint) AND status = ANY(:sources) AND (CAST(:fence AS bigint) IS NULL OR fence = CAST(:fence AS bigint))`;
const endedBefore = `SELECT job_id AS id, status FROM jobs.ended
  WHERE job_id = CAST(:jobId AS bigint) AND status = ANY(:sources) AND CAST(:fence AS bigint) IS NULL FOR UPDATE`;

/**
 * The CTEs that make the change; the last one is `before`, the job with its former status. A job that has not ended is in
 * `active` alone: a change that no ended job can make does not touch the ranges of `ended`, except to insert.
 */
function sourceSql(transition: TransitionName): string {
  const { to: target } = transitionTable[transition];
  const fromEnded = sourcesOf(transition).some((status) => endedStatuses.has(status));
  return target === 'SUSPENDED' || target === 'RUNNING' ? intoActive(target, fromEnded) : intoEnded(fromEnded);
}

const endedStatuses: ReadonlySet<JobStatus> = new Set(['ERROR', 'ABORTED', 'COMPLETED']);

const intoEnded = (fromEnded: boolean): string => `
  left_active AS (DELETE FROM jobs.active WHERE ${condition} RETURNING job_id AS id, status),
  ${fromEnded ? changeEnded : ''}
  added AS (
    INSERT INTO jobs.ended (job_id, status, status_message, updated_at)
    SELECT id, CAST(:target AS text), CAST(:message AS text), clock_timestamp() FROM left_active),
  before AS (SELECT * FROM left_active ${fromEnded ? 'UNION ALL SELECT * FROM had_ended' : ''})`;

const changeEnded = `
  had_ended AS (${endedBefore}),
  changed AS (
    UPDATE jobs.ended SET status = CAST(:target AS text), status_message = CAST(:message AS text), updated_at = clock_timestamp()
    FROM had_ended WHERE ended.job_id = had_ended.id AND ended.job_id = CAST(:jobId AS bigint)),`;

/** A resumed job is ready at once, in whichever queue; a suspended one is not. */
function intoActive(target: 'SUSPENDED' | 'RUNNING', fromEnded: boolean): string {
  const ready = String(target === 'RUNNING');
  return `
  was_active AS (SELECT job_id AS id, status FROM jobs.active WHERE ${condition} FOR UPDATE),
  changed AS (
    UPDATE jobs.active SET status = CAST(:target AS text), status_message = CAST(:message AS text), updated_at = clock_timestamp(), ready = ${ready},
      due_at = NULL, fence = NULL, owner = NULL, suspect = false, losses = 0, since = clock_timestamp()
    FROM was_active WHERE active.job_id = was_active.id),
  ${fromEnded ? leaveEnded(ready) : ''}
  before AS (SELECT * FROM was_active ${fromEnded ? 'UNION ALL SELECT * FROM had_ended' : ''})`;
}

const leaveEnded = (ready: string): string => `
  had_ended AS (${endedBefore}),
  left_ended AS (
    DELETE FROM jobs.ended USING had_ended
    WHERE ended.job_id = had_ended.id AND ended.job_id = CAST(:jobId AS bigint) RETURNING ended.job_id),
  added AS (
    INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, ready)
    SELECT id, queue, CAST(:target AS text), CAST(:message AS text), clock_timestamp(), ${ready}
    FROM jobs.jobs WHERE id = CAST(:jobId AS bigint) AND EXISTS (SELECT FROM left_ended)),`;
