import type { JobId } from '@waybill/contracts/values/job-id';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import { DuplicateJobError, type JobChange, type JobRegister } from '../domain/job-register.ts';
import type { Job } from '../domain/job.ts';
import { followQueues } from './follow-queues.ts';
import { insertJob } from './insert-job.ts';
import { jobOf, jobsWithStatus, type JobRow } from './job-row.ts';
import { listJobs } from './list-jobs.ts';
import { moveJob } from './move-job.ts';
import { readSteps } from './read-steps.ts';

/**
 * Jobs in PostgreSQL. Given a transaction, everything is part of that. `onReady` is called after the commit of a change that
 * has made jobs ready.
 */
export function createKnexJobRegister(database: Queryable, onReady: () => void = () => {}): JobRegister {
  const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.isTransaction ? work(database as Transaction) : (database as Database).transaction(work);
  const announce = (): void => {
    if (database.isTransaction) (database as Transaction).executionPromise.then(onReady, () => {});
    else onReady();
  };
  const announced = async <T>(work: Promise<T | undefined>): Promise<T | undefined> => {
    const made = await work;
    if (made !== undefined) announce();
    return made;
  };
  return {
    add: (job) => announced(insertJob(database, job)),
    find: (id) => findJob(database, id),
    findByIpid: (ipid) => findJobByKey(database, ipid),
    list: (query) => listJobs(database, query),
    historyOf: (id) => readHistory(database, id),
    stepsOf: (id) => readSteps(database, id),
    move: (id, transition, reason) =>
      within(async (trx) => {
        if (!(await moveJob(trx, { jobId: id }, transition, reason))) return undefined;
        await interrupt(trx, id);
        return await findJob(trx, id);
      }),
    resume: (id, reason) =>
      announced(
        within(async (trx) => {
          if (!(await moveJob(trx, { jobId: id }, 'resume', reason))) return undefined;
          await restoreTries(trx, id);
          return await findJob(trx, id);
        }),
      ),
    replace: (id, successor, { abort }) =>
      announced(
        within(async (trx) => {
          if (abort) {
            if (!(await moveJob(trx, { jobId: id }, 'abort', abort))) return undefined;
            await interrupt(trx, id);
          }
          const made = await insertJob(trx, successor);
          if (!made) throw new DuplicateJobError();
          return made;
        }),
      ),
    followQueues: (queues) => followQueues(database, queues),
    chainDepthOf: (fileset) => chainDepthOf(database, fileset),
  };
}

/** A resumed step has all its attempts again. */
async function restoreTries(transaction: Transaction, id: JobId): Promise<void> {
  await transaction.raw(
    `UPDATE jobs.steps SET status = 'WAITING', failures = 0, losses = 0 WHERE job_id = ? AND status <> 'COMPLETED'`,
    [id],
  );
}

async function chainDepthOf(database: Queryable, fileset: string): Promise<number> {
  const { rows } = await database.raw<{ rows: { depth: number | null }[] }>(
    `SELECT max(jobs.chain_depth) AS depth FROM jobs.effects JOIN jobs.jobs ON jobs.id = effects.job_id
     WHERE effects.fileset = ?::bigint`,
    [fileset],
  );
  return rows[0]?.depth ?? 0;
}

/** Tells the worker that runs the job, when the transaction commits. */
async function interrupt(transaction: Transaction, id: JobId): Promise<void> {
  await transaction.raw(`SELECT pg_notify('waybill_job_interrupted', ?)`, [String(id)]);
}

async function findJob(database: Queryable, id: JobId): Promise<Job | undefined> {
  const { rows } = await database.raw<{ rows: JobRow[] }>(`${jobsWithStatus} WHERE jobs.id = ?`, [id]);
  return rows[0] && jobOf(rows[0]);
}

async function findJobByKey(database: Queryable, key: Buffer): Promise<Job | undefined> {
  const { rows } = await database.raw<{ rows: JobRow[] }>(
    `${jobsWithStatus} WHERE jobs.id = (SELECT job_id FROM jobs.idempotency_keys WHERE key = ?)`,
    [key],
  );
  return rows[0] && jobOf(rows[0]);
}

interface HistoryRow {
  at: Date;
  from_status: JobChange['to'] | null;
  to_status: JobChange['to'];
  transition: JobChange['transition'];
  changed_by: string;
  message: string;
}

async function readHistory(database: Queryable, id: JobId): Promise<JobChange[]> {
  const { rows } = await database.raw<{ rows: HistoryRow[] }>(
    'SELECT at, from_status, to_status, transition, changed_by, message FROM jobs.history WHERE job_id = ? ORDER BY id',
    [id],
  );
  return rows.map((row) => ({
    at: row.at,
    from: row.from_status ?? undefined,
    to: row.to_status,
    transition: row.transition,
    by: row.changed_by,
    message: row.message,
  }));
}
