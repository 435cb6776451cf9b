import type { Database, Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { JobSite } from '../../config.ts';
import type { Hold, JobLedger, StepAttempt } from '../../domain/jobs/job-ledger.ts';
import { auditJob } from './audit-job.ts';
import { claimJobs } from './claim-jobs.ts';
import { heldJob } from './held-job.ts';
import { findJob } from './knex-job-register.ts';
import { moveJob } from './move-job.ts';
import { readItems, readSteps } from './read-steps.ts';
import { renewLeases } from './renew-leases.ts';
import {
  endingBindings,
  failStep,
  forgetSteps,
  postponeItem,
  reopenFailedSteps,
  repeatSteps,
  skipStep,
  type StepEnding,
  stepEndingSql,
  suspendJob,
} from './settle-steps.ts';

/** Whose jobs they are, and for how long. */
export interface LedgerOptions {
  readonly db: Database;
  /** Names the worker in the lease. */
  readonly owner: string;
  readonly leaseMs: number;
  /** A job that has waited for so long is as urgent as one of priority 10. */
  readonly patienceMs: number;
  /** For the audit log. */
  readonly site: JobSite;
}

/** What a worker reads and writes of its jobs, in PostgreSQL. */
export function createKnexJobLedger({ db, owner, leaseMs, patienceMs, site }: LedgerOptions): JobLedger {
  return {
    claim: (queues, limit) => claimJobs(db, { queues, limit, owner, leaseMs, patienceMs }),
    renew: (holds) => renewLeases(db, holds, leaseMs),
    isClaimable: async () => (await runPrepared(db, look, {})).length === 1,
    stepsOf: (jobId) => readSteps(db, jobId),
    itemsOf: (jobId) => readItems(db, jobId),
    beginStep: async (hold, step) => {
      const inputs = JSON.stringify(step.inputs ?? {});
      const [begun] = await runPrepared<StepAttempt & object>(db, beginning, { ...hold, ...step, inputs });
      if (!begun) return undefined;
      const { attempts, failures, losses, lossesAlone } = begun;
      return { attempts, failures, losses, lossesAlone };
    },
    completeStep: async (hold, position, outputs, log) => {
      const ending = endingBindings({ position, status: 'COMPLETED', outputs, log });
      return (await runPrepared(db, completion, { ...hold, ...ending })).length === 1;
    },
    completeJob: (hold, position, outputs, message, log) => {
      const ending = { position, status: 'COMPLETED', outputs, log } as const;
      return moveJob(db, hold, 'complete', { by: 'platform', message, ending });
    },
    retryStep: (hold, position, error, afterSeconds, log) =>
      release(db, hold, { ending: { position, status: 'WAITING', error, log }, afterSeconds }),
    skipStep: (hold, step) => skipStep(db, hold, step),
    postponeItem: (hold, place, error, log) => postponeItem(db, hold, place, { error, log }),
    failStep: (hold, position, error, log) => failStep(db, hold, position, { error, log }),
    forgetSteps: (hold, positions) => forgetSteps(db, hold, positions),
    repeatSteps: (hold, places) => repeatSteps(db, hold, places),
    completeEndedJob: (hold, message) => moveJob(db, hold, 'complete', { by: 'platform', message }),
    failEndedJob: (hold, failed, error) =>
      db.transaction(async (trx) => {
        const ended = await endInError(trx, site, hold, { error });
        if (ended) await reopenFailedSteps(trx, hold.jobId, failed);
        return ended;
      }),
    failJob: (hold, position, error, log) =>
      db.transaction((trx) => {
        const ending = { position, status: 'ERROR', error, log } as const;
        return endInError(trx, site, hold, { error, ending });
      }),
    suspendJob: (hold, position, wait, log) => suspendJob(db, hold, position, { wait, log }),
    handBack: (hold, position, log) =>
      release(db, hold, { ending: { position, status: 'WAITING', log }, afterSeconds: 0 }),
    noteLoss: async (hold) => (await runPrepared(db, loss, { ...hold })).length === 1,
  };
}

async function endInError(
  trx: Transaction,
  site: JobSite,
  hold: Hold,
  { error, ending }: { error: string; ending?: StepEnding },
): Promise<boolean> {
  const reason = { by: 'platform', message: error, ...(ending && { ending }) };
  if (!(await moveJob(trx, hold, 'fail', reason))) return false;
  const job = await findJob(trx, hold.jobId);
  if (job) await auditJob(trx, site, 'jobFailed', job, { user: job.submittedBy, reason: error });
  return true;
}

const look = prepareStatement(
  'jobs look',
  `SELECT true AS found WHERE EXISTS (SELECT FROM jobs.active WHERE ready)
     OR EXISTS (SELECT FROM jobs.active WHERE due_at <= clock_timestamp())`,
);

/**
 * `losses` of a step counts every process that was lost while it ran; that of the job, those that ran nothing else. The commit
 * does not wait for the disk: a crash of PostgreSQL leaves a step that was begun once less.
 */
const beginning = prepareStatement(
  'jobs begin step',
  `WITH ${heldJob}
   INSERT INTO jobs.steps AS steps (job_id, position, name, task, status, inputs)
   SELECT id, CAST(:position AS integer), CAST(:name AS text), CAST(:task AS text), 'RUNNING', CAST(:inputs AS jsonb) FROM held
   ON CONFLICT (job_id, position) DO UPDATE SET status = 'RUNNING', attempts = steps.attempts + 1,
     losses = steps.losses + CASE WHEN steps.status = 'RUNNING' THEN 1 ELSE 0 END, updated_at = clock_timestamp(),
     begun_at = clock_timestamp(), inputs = excluded.inputs
   RETURNING attempts, failures, losses,
     (SELECT active.losses FROM jobs.active WHERE active.job_id = CAST(:jobId AS bigint)) AS "lossesAlone",
     set_config('synchronous_commit', 'off', true)`,
);

const completion = prepareStatement(
  'jobs complete step',
  `WITH ${heldJob}, ${stepEndingSql('held')},
   cleared AS (
     UPDATE jobs.active SET suspect = false, losses = 0 FROM held WHERE active.job_id = held.id AND active.suspect)
   SELECT job_id FROM step`,
);

/** The pauses grow up to a minute. */
const loss = prepareStatement(
  'jobs note loss',
  `WITH ${heldJob}
   UPDATE jobs.active SET losses = losses + 1, suspect = true, fence = NULL, owner = NULL, ready = false,
     due_at = clock_timestamp() + least(power(2, losses), 60) * interval '1 second'
   FROM held WHERE active.job_id = held.id RETURNING active.job_id`,
);

const releasing = prepareStatement(
  'jobs release',
  `WITH ${heldJob}, ${stepEndingSql('held')}
   UPDATE jobs.active SET fence = NULL, owner = NULL, ready = CAST(:afterSeconds AS integer) = 0,
     suspect = suspect AND CAST(:error AS text) IS NULL,
     losses = CASE WHEN CAST(:error AS text) IS NULL THEN losses ELSE 0 END,
     due_at = CASE WHEN CAST(:afterSeconds AS integer) > 0
       THEN clock_timestamp() + CAST(:afterSeconds AS integer) * interval '1 second' END,
     since = clock_timestamp(), status_message = coalesce(CAST(:error AS text), status_message)
   FROM held WHERE active.job_id = held.id RETURNING active.job_id`,
);

/**
 * Ends a hold without a change of status: the job is ready, at once or after a delay. A step that has failed in an orderly
 * way is no longer suspected of killing its worker.
 */
async function release(
  db: Database,
  hold: Hold,
  { ending, afterSeconds }: { ending: StepEnding; afterSeconds: number },
): Promise<boolean> {
  return (await runPrepared(db, releasing, { ...hold, ...endingBindings(ending), afterSeconds })).length === 1;
}
