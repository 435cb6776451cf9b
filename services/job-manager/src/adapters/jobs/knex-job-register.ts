import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type JobId, jobIdSchema } from '@waybill/contracts/values/job-id';
import type { Database, Queryable, Transaction } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import {
  DuplicateJobError,
  type ChangeReason,
  type Decider,
  type HistoryPage,
  type JobChange,
  type JobRegister,
  type NumberedChange,
  type ReplaceOptions,
} from '../../domain/jobs/job-register.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { NewJob } from '../../domain/jobs/new-job.ts';
import type { RevisionChange } from '../../domain/jobs/revision-change.ts';
import type { TransitionName } from '../../domain/jobs/transition-table.ts';
import type { Decision } from '../../domain/queues/step-wait.ts';
import { followQueues } from '../queues/follow-queues.ts';
import { decideApproval } from '../waits/decide-approval.ts';
import { auditJob, type JobDeed } from './audit-job.ts';
import { changeRevision } from './change-revision.ts';
import { groupInserts } from './group-inserts.ts';
import { insertJobs, type JobInsertion, prepareInsertion } from './insert-jobs.ts';
import { jobOf, jobsWithStatus, type JobRow } from './job-row.ts';
import { listJobs } from './list-jobs.ts';
import { moveJob } from './move-job.ts';
import { countItems, readItems, readSteps } from './read-steps.ts';

/** What the store of jobs needs beside the database. */
export interface RegisterParts {
  /** Of this process, for the audit log. */
  readonly site: JobSite;
  /** Called after the commit of a change that has made jobs ready. */
  readonly onReady?: () => void;
}

/** Jobs in PostgreSQL. Given a transaction, everything is part of that. */
export function createKnexJobRegister(database: Queryable, parts: RegisterParts): JobRegister {
  const changes = createJobChanges(parts.site);
  const within = <T>(work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.isTransaction ? work(database as Transaction) : (database as Database).transaction(work);
  const announced = async (work: (transaction: Transaction) => Promise<Job | undefined>): Promise<Job | undefined> => {
    const { onReady } = parts;
    const made = await within(work);
    if (made === undefined || !onReady) return made;
    if (database.isTransaction) (database as Transaction).executionPromise.then(onReady, () => {});
    else onReady();
    return made;
  };
  const grouped = database.isTransaction ? undefined : groupInserts((jobs) => insertJobs(database, jobs), parts);
  return {
    add: (job) => {
      const insertion = prepareInsertion(parts.site, job, { fact: 'jobSubmitted' });
      return grouped ? grouped.insert(insertion) : announced((trx) => insertOne(trx, insertion));
    },
    find: (id) => findJob(database, id),
    findByIpid: (ipid) => findJobByKey(database, ipid),
    list: (query) => listJobs(database, query),
    historyOf: (id) => readHistory(database, id),
    historyPage: (id, page) => readHistoryPage(database, id, page),
    stepsOf: (id) => readSteps(database, id),
    itemsOf: (id, range) => readItems(database, id, range),
    countItems: (id) => countItems(database, id),
    move: (id, transition, reason) => within((trx) => changes.move(trx, id, transition, reason)),
    resume: async (id, reason, change) => {
      try {
        return await announced((trx) => changes.resume(trx, id, { reason, change }));
      } catch (error) {
        if (error instanceof StaleRevisionError) return undefined;
        throw error;
      }
    },
    decide: (id, decision, by) => announced((trx) => decideAudited(trx, parts.site, id, { decision, by })),
    replace: (id, successor, options) => announced((trx) => changes.replace(trx, id, successor, options)),
    followQueues: (queues) => followQueues(database, queues),
    chainDepthOf: (fileset) => chainDepthOf(database, fileset),
  };
}

/** A decision about a job that waits for an approval, with its audit record. */
async function decideAudited(
  trx: Transaction,
  site: JobSite,
  id: JobId,
  { decision, by }: { decision: Decision['decision']; by: Decider },
): Promise<Job | undefined> {
  if (!(await decideApproval(trx, id, decision, by))) return undefined;
  const job = await findJob(trx, id);
  const fact = decision === 'approved' ? 'jobApproved' : 'jobRejected';
  if (job) await auditJob(trx, site, fact, job, { user: by.userName, reason: by.reason });
  return job;
}

/** The changes of jobs, each with its audit record. */
function createJobChanges(site: JobSite) {
  const audited = { abort: 'jobAborted', fail: 'jobFailed' } as const;
  const move = async (
    trx: Transaction,
    id: JobId,
    transition: TransitionName,
    reason: ChangeReason,
  ): Promise<Job | undefined> => {
    if (!(await moveJob(trx, { jobId: id }, transition, reason))) return undefined;
    await interrupt(trx, id);
    const job = await findJob(trx, id);
    const fact = transition === 'abort' || transition === 'fail' ? audited[transition] : undefined;
    if (job && fact) await auditJob(trx, site, fact, job, deedOf(reason));
    return job;
  };
  return {
    move,
    resume: async (
      trx: Transaction,
      id: JobId,
      { reason, change }: { reason: ChangeReason; change: RevisionChange | undefined },
    ): Promise<Job | undefined> => {
      if (!(await moveJob(trx, { jobId: id }, 'resume', reason))) return undefined;
      if (change && !(await changeRevision(trx, id, change))) throw new StaleRevisionError();
      await restoreTries(trx, id);
      const job = await findJob(trx, id);
      if (job) await auditJob(trx, site, 'jobResumed', job, deedOf(reason));
      return job;
    },
    replace: async (
      trx: Transaction,
      id: JobId,
      successor: NewJob,
      { abort, reason, revisionChange }: ReplaceOptions,
    ): Promise<Job | undefined> => {
      if (abort && !(await move(trx, id, 'abort', abort))) return undefined;
      const creation = { fact: 'jobResubmitted', reason, revisionChange } as const;
      const made = await insertOne(trx, prepareInsertion(site, successor, creation));
      if (!made) throw new DuplicateJobError();
      return made;
    },
  };
}

async function insertOne(trx: Transaction, insertion: JobInsertion): Promise<Job | undefined> {
  const [made] = await insertJobs(trx, [insertion]);
  return made;
}

/** A failure has no user: its message says why. */
function deedOf({ by, message, reason, revisionChange }: ChangeReason): JobDeed {
  return { user: by, reason: by === 'platform' ? message : reason, revisionChange };
}

/** The job has another revision by now than the one that is to be replaced: the transaction is rolled back. */
class StaleRevisionError extends Error {
  override readonly name = 'StaleRevisionError';
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

/** A job with its present status. */
export async function findJob(database: Queryable, id: JobId): Promise<Job | undefined> {
  const { rows } = await database.raw<{ rows: JobRow[] }>(`${jobsWithStatus} WHERE jobs.id = ?`, [id]);
  return rows[0] && jobOf(rows[0]);
}

async function findJobByKey(database: Queryable, key: Buffer): Promise<Job | undefined> {
  const { rows } = await database.raw<{ rows: { job_id: string }[] }>(
    'SELECT job_id FROM jobs.idempotency_keys WHERE key = ?',
    [key],
  );
  if (!rows[0]) return undefined;
  const id = jobIdSchema.parse(Number(rows[0].job_id));
  const job = await findJob(database, id);
  if (job) return job;
  const detail = `Job ${id} of this request has ended, and has been removed since; the request creates no other job`;
  throw new CodedError('job_removed', { detail, names: { job: String(id) } });
}

interface HistoryRow {
  id: string;
  at: Date;
  from_status: JobChange['to'] | null;
  to_status: JobChange['to'];
  transition: JobChange['transition'];
  changed_by: string;
  message: string;
}

const historyColumns = 'id, at, from_status, to_status, transition, changed_by, message';

async function readHistory(database: Queryable, id: JobId): Promise<JobChange[]> {
  const sql = `SELECT ${historyColumns} FROM jobs.history WHERE job_id = ? ORDER BY id`;
  const { rows } = await database.raw<{ rows: HistoryRow[] }>(sql, [id]);
  return rows.map(changeOf);
}

/** By the primary key: a page costs the same wherever it begins. */
async function readHistoryPage(
  database: Queryable,
  id: JobId,
  { limit, order, after }: HistoryPage,
): Promise<NumberedChange[]> {
  const [isAfter, direction] = order === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  const place = after === undefined ? '' : `AND id ${isAfter} ?`;
  const { rows } = await database.raw<{ rows: HistoryRow[] }>(
    `SELECT ${historyColumns} FROM jobs.history WHERE job_id = ? ${place} ORDER BY id ${direction} LIMIT ?`,
    [id, ...(after === undefined ? [] : [after]), limit],
  );
  return rows.map((row) => ({ id: Number(row.id), ...changeOf(row) }));
}

function changeOf({
  at,
  from_status: from,
  to_status: to,
  transition,
  changed_by: by,
  message,
}: HistoryRow): JobChange {
  return { at, from: from ?? undefined, to, transition, by, message };
}
