import { jobIdSchema } from '@waybill/contracts/values/job-id';
import type { JobStatus } from '@waybill/contracts/values/job-status';
import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { ChangeBatch, ChangeSource, StatusChange } from '../../domain/changes/status-change.ts';

interface ChangeRow {
  id: string;
  job_id: string;
  at: Date;
  from_status: JobStatus | null;
  to_status: JobStatus;
  transition: StatusChange['transition'];
  queue: string;
  contract: string;
  contract_action: string;
}

/** Of an empty batch, there is one row without a change. */
type BatchRow = { oldest_running: string; next_transaction: string } & (ChangeRow | { id: null });

/** The changes in the history of all jobs. */
export function createKnexChangeSource(db: Database): ChangeSource {
  return {
    newest: async (limit) => batchOf(await runPrepared<BatchRow>(db, newestStatement, { limit })),
    after: async (id, late, limit) =>
      batchOf(await runPrepared<BatchRow>(db, afterStatement, { after: id, late: late.map(String), limit })),
    between: async (id, through, limit) =>
      (await runPrepared<ChangeRow>(db, betweenStatement, { after: id, through, limit })).map(changeOf),
  };
}

const described = (history: string): string => `
  SELECT history.id, history.job_id, history.at, history.from_status, history.to_status, history.transition,
    jobs.queue, jobs.contract, jobs.contract_action
  FROM (${history}) AS history JOIN jobs.jobs ON jobs.id = history.job_id`;

/** The snapshot that the statement itself reads with, beside what it reads. */
const withSnapshot = (changes: string): string => `
  SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS oldest_running,
    pg_snapshot_xmax(pg_current_snapshot())::text AS next_transaction, found.*
  FROM (SELECT 1) AS one LEFT JOIN (${changes}) AS found ON true ORDER BY found.id`;

const newestStatement = prepareStatement(
  'jobs newest changes',
  withSnapshot(described('SELECT * FROM jobs.history ORDER BY id DESC LIMIT CAST(:limit AS integer)')),
);

const afterStatement = prepareStatement(
  'jobs changes after',
  withSnapshot(
    described(`
      (SELECT * FROM jobs.history WHERE id > CAST(:after AS bigint) ORDER BY id LIMIT CAST(:limit AS integer))
      UNION ALL
      SELECT * FROM jobs.history WHERE id = ANY (CAST(:late AS bigint[]))`),
  ),
);

const betweenStatement = prepareStatement(
  'jobs changes between',
  `${described(`
    SELECT * FROM jobs.history WHERE id > CAST(:after AS bigint) AND id <= CAST(:through AS bigint)
    ORDER BY id LIMIT CAST(:limit AS integer)`)} ORDER BY history.id`,
);

function batchOf(rows: readonly BatchRow[]): ChangeBatch {
  return {
    changes: rows.flatMap((row) => (row.id === null ? [] : [changeOf(row)])),
    oldestRunning: BigInt(rows[0]?.oldest_running ?? 0),
    nextTransaction: BigInt(rows[0]?.next_transaction ?? 0),
  };
}

function changeOf(row: ChangeRow): StatusChange {
  return {
    id: Number(row.id),
    jobId: jobIdSchema.parse(Number(row.job_id)),
    from: row.from_status ?? undefined,
    to: row.to_status,
    transition: row.transition,
    at: row.at,
    queue: row.queue,
    contract: row.contract,
    action: row.contract_action,
  };
}
