import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendMessages } from '@waybill/outbox/append-messages';
import { appendMessagesSql, type AppendedMessage } from '@waybill/outbox/message-rows';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { JobSite } from '../../config.ts';

/** The numbers of jobs in a range. The functions of migration 0004 have the same size. */
export const rangeSize = 1_000_000;

/** Ranges that exist beyond the present one: at 2 000 submissions a second, sixteen minutes' worth at least. */
const rangesAhead = 3;

/** A range whose jobs have all ended, the last of them before a horizon. */
export interface ExpiredRange {
  /** The first number is this times `rangeSize`. */
  readonly number: number;
  readonly jobs: number;
  /** When the last job of it changed; `null` if it has no jobs. */
  readonly newest: Date | null;
}

/** Creates the ranges that will be needed next. Any number of processes may do so. */
export async function prepareRanges(db: Database): Promise<void> {
  await db.raw('SELECT jobs.prepare_ranges(?)', [rangesAhead]);
}

/** How many numbers can be given before another range is needed. */
export async function countPreparedNumbers(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { prepared: string }[] }>(
    `SELECT (max(substring(child.relname FROM '[0-9]+$')::bigint) + 1) * :rangeSize - (SELECT last_value FROM jobs.job_ids) AS prepared
     FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'jobs.jobs'::regclass`,
    { rangeSize },
  );
  return Number(rows[0]?.prepared ?? 0);
}

/** Closes the present range if its first job is older than so many days. Returns whether it did. */
export async function closeRange(db: Database, days: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { closed: boolean }[] }>(
    'SELECT jobs.close_range(make_interval(secs => :seconds)) AS closed',
    { seconds: days * 86_400 },
  );
  return rows[0]?.closed === true;
}

/** The ranges before the present one that may be dropped, oldest first. One that has a job that waits or runs is kept. */
export async function listExpiredRanges(db: Database, keptDays: number): Promise<ExpiredRange[]> {
  const { rows } = await db.raw<{ rows: { number: string; jobs: string; newest: Date | null }[] }>(
    `WITH ranges AS (
       SELECT substring(child.relname FROM '[0-9]+$')::bigint AS number FROM pg_inherits
       JOIN pg_class AS child ON child.oid = inhrelid WHERE inhparent = 'jobs.jobs'::regclass),
     closed AS (
       SELECT number, (
         SELECT updated_at FROM jobs.ended
         WHERE job_id >= number * :rangeSize AND job_id < (number + 1) * :rangeSize ORDER BY updated_at DESC LIMIT 1) AS newest
       FROM ranges WHERE number < (SELECT last_value / :rangeSize FROM jobs.job_ids)
         AND NOT EXISTS (SELECT FROM jobs.active WHERE job_id >= number * :rangeSize AND job_id < (number + 1) * :rangeSize))
     SELECT number, newest, (
       SELECT count(*) FROM jobs.jobs WHERE id >= number * :rangeSize AND id < (number + 1) * :rangeSize) AS jobs
     FROM closed WHERE newest IS NULL OR newest < ${horizon} ORDER BY number`,
    { rangeSize, keptDays },
  );
  return rows.map(({ number, jobs, newest }) => ({ number: Number(number), jobs: Number(jobs), newest }));
}

const horizon = `clock_timestamp() - :keptDays * interval '1 day'`;

/** How a range is dropped. */
export interface RangeDrop {
  readonly site: JobSite;
  readonly keptDays: number;
  /** How long others may have to wait for it. */
  readonly patienceMs: number;
}

/**
 * Drops a range, with its audit record, in one statement: no lock waits for this process. False: it has changed since, or
 * another process drops one. @throws if the tables were in use for so long as `patienceMs`
 */
export async function dropRange(
  db: Database,
  range: ExpiredRange,
  { site, keptDays, patienceMs }: RangeDrop,
): Promise<boolean> {
  const first = range.number * rangeSize;
  const last = first + rangeSize - 1;
  const payload = composeAuditEvent('endedJobsRemoved', {
    user: 'platform',
    nodeId: site.nodeName,
    managerName: site.managerName,
    entityType: 'Jobs',
    entityName: `${first}-${last}`,
    entityId: String(range.number),
    names: {
      first: String(first),
      last: String(last),
      count: String(range.jobs),
      newest: range.newest?.toISOString() ?? 'no time',
      days: String(keptDays),
    },
  });
  const bindings = { number: range.number, keptDays, patienceMs };
  return appendMessages(db, [{ topic: 'audit-event', payload }], async (given) => {
    const appended = await runPrepared<AppendedMessage>(db, drop, { ...bindings, ...given });
    return { result: appended.length === 1, appended };
  });
}

const drop = prepareStatement(
  'jobs drop range',
  `WITH dropped AS MATERIALIZED (
     SELECT jobs.drop_range(CAST(:number AS bigint), clock_timestamp() - CAST(:keptDays AS float8) * interval '1 day',
       CAST(:patienceMs AS int)) AS done)
   ${appendMessagesSql} WHERE (SELECT done FROM dropped) RETURNING topic`,
);
