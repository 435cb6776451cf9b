import type { Database, Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { positionSql } from '@waybill/workflow/run/step-place';
import type { Hold, LogLine, RepeatedSteps, StepIdentity, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { transitionTable } from '../../domain/jobs/transition-table.ts';
import type { StepWait } from '../../domain/queues/step-wait.ts';
import { logLinesAtMost } from '../../domain/workflows/step-log.ts';
import { heldJob, isStillHeld } from './held-job.ts';

/** How a step ended; an `error` counts as a failure. */
export interface StepEnding {
  readonly position: number;
  readonly status: 'WAITING' | 'COMPLETED' | 'FAILED' | 'ERROR';
  readonly outputs?: StepOutputs;
  readonly error?: string;
  readonly log?: readonly LogLine[] | undefined;
}

/** The CTE `step` that writes down how a step of the job in the CTE `source` ended. */
export function stepEndingSql(source: 'held' | 'before'): string {
  return `step AS (
    UPDATE jobs.steps SET status = CAST(:stepStatus AS text), outputs = CAST(:outputs AS jsonb),
      error = coalesce(CAST(:error AS text), ''), updated_at = clock_timestamp(),
      failures = failures + CASE WHEN CAST(:error AS text) IS NULL THEN 0 ELSE 1 END,
      log = CASE WHEN CAST(:log AS jsonb) IS NULL THEN log WHEN log = '[]' THEN CAST(:log AS jsonb)
        ELSE jsonb_path_query_array(log || CAST(:log AS jsonb), '$[last - ${logLinesAtMost - 1} to last]') END
    FROM ${source} WHERE steps.job_id = ${source}.id AND steps.job_id = CAST(:jobId AS bigint) AND steps.position = CAST(:position AS integer)
    RETURNING steps.job_id)`;
}

/** The bindings of that CTE. */
export function endingBindings({ position, status, outputs = {}, error, log = [] }: StepEnding) {
  const lines = log.length > 0 ? JSON.stringify(log) : null;
  return { position, stepStatus: status, outputs: JSON.stringify(outputs), error: error ?? null, log: lines };
}

/** Notes that a step is not run. False if the hold is lost, as of all functions here. */
export async function skipStep(db: Database, hold: Hold, step: StepIdentity): Promise<boolean> {
  const { position, name, task } = step;
  return (await runPrepared(db, skipping, { ...hold, position, name, task })).length === 1;
}

/** Notes that a step has failed for good; the job goes on. */
export async function failStep(
  db: Database,
  hold: Hold,
  position: number,
  { error, log }: { error: string; log: readonly LogLine[] | undefined },
): Promise<boolean> {
  const ending = endingBindings({ position, status: 'FAILED', error, log });
  return (await runPrepared(db, failing, { ...hold, ...ending })).length === 1;
}

/** Notes that an item is to be tried again; an `error` counts as a failure of it. */
export async function postponeItem(
  db: Database,
  hold: Hold,
  position: number,
  { error, log }: { error: string | undefined; log: readonly LogLine[] | undefined },
): Promise<boolean> {
  const ending = endingBindings({ position, status: 'WAITING', ...(error !== undefined && { error }), log });
  return (await runPrepared(db, failing, { ...hold, ...ending })).length === 1;
}

/** Ends the hold of a job that waits at a step. False if the hold is lost. */
export async function suspendJob(
  db: Database,
  hold: Hold,
  position: number,
  { wait, log }: { wait: StepWait; log: readonly LogLine[] | undefined },
): Promise<boolean> {
  const { until, message } = wait;
  const ending = endingBindings({ position, status: 'WAITING', outputs: { until }, log });
  const rows = await runPrepared(db, suspending, { ...hold, ...ending, until, message, wait: JSON.stringify(wait) });
  return rows.length === 1;
}

/** Forgets steps that are to run again from the beginning, as if they had never run. What they have written stays theirs no more. */
export async function forgetSteps(db: Database, hold: Hold, positions: readonly number[]): Promise<boolean> {
  return await db.transaction(async (trx) => {
    if (!(await isStillHeld(trx, hold))) return false;
    await retireEffects(trx, hold.jobId, positions);
    await runPrepared(trx, forgetting, { jobId: String(hold.jobId), positions: [...positions] });
    return true;
  });
}

/** Prepares steps and items at exactly these places to run again. */
export async function repeatSteps(db: Database, hold: Hold, { failed, forgotten }: RepeatedSteps): Promise<boolean> {
  return await db.transaction(async (trx) => {
    if (!(await isStillHeld(trx, hold))) return false;
    const jobId = String(hold.jobId);
    await runPrepared(trx, repeating, { jobId, positions: [...failed] });
    await runPrepared(trx, retiringPlaces, { jobId, positions: [...forgotten] });
    await runPrepared(trx, forgettingPlaces, { jobId, positions: [...forgotten] });
    return true;
  });
}

/**
 * What the steps at these positions and their items have written does not count as their own any more, so that they write
 * again. It is still known which job wrote it: under positions that no step has, below all others.
 */
export async function retireEffects(trx: Queryable, jobId: number, positions: readonly number[]): Promise<void> {
  await runPrepared(trx, retiring, { jobId: String(jobId), positions: [...positions] });
}

/** Of the steps at these positions, or of their items. */
const ofSteps = `position >= 0 AND ${positionSql('position')} = ANY (CAST(:positions AS integer[]))`;

/** Far below the positions that revisions were retired to before. */
const belowSteps = -100_000_000;

/** The steps that have failed become those at which a resumed job goes on. */
export async function reopenFailedSteps(trx: Queryable, jobId: number, positions: readonly number[]): Promise<void> {
  await runPrepared(trx, reopening, { jobId: String(jobId), positions: [...positions] });
}

const atPlaces = 'position = ANY (CAST(:positions AS integer[]))';

const retireSql = (which: string): string => `WITH lowest AS (
     SELECT least(min(position), ${belowSteps}) AS position FROM jobs.effects WHERE job_id = CAST(:jobId AS bigint)),
   retired AS (
     SELECT DISTINCT position FROM jobs.effects
     WHERE job_id = CAST(:jobId AS bigint) AND ${which}),
   ranked AS (
     SELECT retired.position, lowest.position - row_number() OVER (ORDER BY retired.position)::int AS lower
     FROM retired, lowest)
   UPDATE jobs.effects SET position = ranked.lower FROM ranked
   WHERE effects.job_id = CAST(:jobId AS bigint) AND effects.position = ranked.position`;

const retiring = prepareStatement('jobs retire effects', retireSql(ofSteps));

const retiringPlaces = prepareStatement('jobs retire effects of places', retireSql(atPlaces));

const forgetSql = (
  which: string,
): string => `UPDATE jobs.steps SET status = 'WAITING', attempts = 0, failures = 0, losses = 0, begun_at = NULL, inputs = '{}',
     outputs = '{}', error = '', log = '[]', updated_at = clock_timestamp()
   WHERE job_id = CAST(:jobId AS bigint) AND ${which}`;

const forgetting = prepareStatement('jobs forget steps', forgetSql(ofSteps));

const forgettingPlaces = prepareStatement('jobs forget places', forgetSql(atPlaces));

const repeating = prepareStatement(
  'jobs repeat steps',
  `UPDATE jobs.steps SET status = 'WAITING', failures = 0, losses = 0
   WHERE job_id = CAST(:jobId AS bigint) AND ${atPlaces} AND status = 'FAILED'`,
);

const reopening = prepareStatement(
  'jobs reopen steps',
  `UPDATE jobs.steps SET status = 'ERROR'
   WHERE job_id = CAST(:jobId AS bigint) AND position = ANY (CAST(:positions AS integer[])) AND status = 'FAILED'`,
);

const skipping = prepareStatement(
  'jobs skip step',
  `WITH ${heldJob}
   INSERT INTO jobs.steps (job_id, position, name, task, status, attempts, begun_at)
   SELECT id, CAST(:position AS integer), CAST(:name AS text), CAST(:task AS text), 'SKIPPED', 0, NULL FROM held
   ON CONFLICT (job_id, position) DO UPDATE SET status = 'SKIPPED', updated_at = clock_timestamp()
   RETURNING job_id`,
);

const failing = prepareStatement(
  'jobs fail step',
  `WITH ${heldJob}, ${stepEndingSql('held')},
   cleared AS (
     UPDATE jobs.active SET suspect = false, losses = 0 FROM held WHERE active.job_id = held.id AND active.suspect)
   SELECT job_id FROM step`,
);

const suspending = prepareStatement(
  'jobs suspend at step',
  `WITH ${heldJob}, ${stepEndingSql('held')},
   noted AS (
     INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
     SELECT id, 'RUNNING', '${transitionTable.wait.to}', 'wait', 'platform', CAST(:message AS text) FROM held)
   UPDATE jobs.active SET status = '${transitionTable.wait.to}', status_message = CAST(:message AS text), ready = false,
     due_at = CAST(:until AS timestamptz), fence = NULL, owner = NULL, suspect = false, losses = 0,
     since = clock_timestamp(), updated_at = clock_timestamp(), wait = CAST(:wait AS jsonb)
   FROM held WHERE active.job_id = held.id RETURNING active.job_id`,
);
