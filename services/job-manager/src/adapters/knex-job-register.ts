import type { JobId } from '@waybill/contracts/values/job-id';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { JobChange, JobRegister } from '../domain/job-register.ts';
import type { Job } from '../domain/job.ts';
import { insertJob } from './insert-job.ts';
import { jobOf, type JobRow } from './job-row.ts';
import { listJobs } from './list-jobs.ts';
import { moveJob } from './move-job.ts';
import { readSteps } from './read-steps.ts';
import { suspendOutside } from './suspend-outside.ts';

/** Jobs in PostgreSQL. Given a transaction, everything is part of that. */
export function createKnexJobRegister(database: Queryable): JobRegister {
  const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.isTransaction ? work(database as Transaction) : (database as Database).transaction(work);
  return {
    add: (job) => within((trx) => insertJob(trx, job)),
    find: (id) => findOne(database, 'id = ?', id),
    findByIpid: (ipid) => findOne(database, 'ipid = ?', ipid),
    list: (query) => listJobs(database, query),
    historyOf: (id) => readHistory(database, id),
    stepsOf: (id) => readSteps(database, id),
    move: (id, transition, reason) =>
      within(async (trx) => {
        const moved = await moveJob(trx, { jobId: id }, transition, reason);
        if (moved) await trx.raw(`SELECT pg_notify('waybill_job_interrupted', ?)`, [String(id)]);
        return moved;
      }),
    resume: (id, reason) =>
      within(async (trx) => {
        const resumed = await moveJob(trx, { jobId: id }, 'resume', reason);
        if (!resumed) return undefined;
        await trx.raw(
          `UPDATE jobs.steps SET status = 'WAITING', failures = 0, losses = 0 WHERE job_id = ? AND status <> 'COMPLETED'`,
          [id],
        );
        await appendToOutbox(trx, [{ topic: 'job-ready', payload: { jobId: id, priority: 10 } }]);
        return resumed;
      }),
    replace: (id, successor, { abort }) =>
      within(async (trx) => {
        if (abort) {
          if (!(await moveJob(trx, { jobId: id }, 'abort', abort))) return undefined;
          await trx.raw(`SELECT pg_notify('waybill_job_interrupted', ?)`, [String(id)]);
        }
        return insertJob(trx, successor);
      }),
    suspendOutside: (queues, message) => suspendOutside(database, queues, message),
    chainDepthOf: async (fileset) => {
      const { rows } = await database.raw<{ rows: { depth: number | null }[] }>(
        `SELECT max(jobs.chain_depth) AS depth FROM jobs.effects JOIN jobs.jobs ON jobs.id = effects.job_id
         WHERE effects.fileset = ?::bigint`,
        [fileset],
      );
      return rows[0]?.depth ?? 0;
    },
  };
}

async function findOne(database: Queryable, condition: string, value: number | Buffer): Promise<Job | undefined> {
  const { rows } = await database.raw<{ rows: JobRow[] }>(`SELECT * FROM jobs.jobs WHERE ${condition}`, [value]);
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
