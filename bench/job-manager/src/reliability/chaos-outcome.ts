import { canMove, transitionTable } from '@waybill/job-manager/transition-table';
import type { Expected } from './chaos-load.ts';
import type { BenchJobs } from './start-bench-jobs.ts';

/** One promise, whether it was kept, and the figure behind it. */
export interface Verdict {
  readonly promise: string;
  readonly isKept: boolean;
  readonly figure: string;
}

interface JobRow {
  name: string;
  status: string;
  seconds: number;
}

interface HistoryRow {
  job_id: string;
  from_status: 'SUBMITTED' | null;
  to_status: string;
  transition: keyof typeof transitionTable | 'submit';
}

/** Compares what has become of the jobs with what was expected. */
export async function judge(jobs: BenchJobs, plan: readonly Expected[]): Promise<Verdict[]> {
  const rows = await select<JobRow>(
    jobs,
    `SELECT coalesce(ext_ipid, substring(file ->> 'path' FROM '^/in/(.*)[.]csv$')) AS name,
       coalesce(active.status, ended.status) AS status,
       extract(epoch FROM ended.updated_at - created_at)::float8 AS seconds
     FROM jobs.jobs LEFT JOIN jobs.active ON active.job_id = jobs.id LEFT JOIN jobs.ended ON ended.job_id = jobs.id`,
  );
  return [
    oneJobEach(rows, plan),
    statuses(rows, plan),
    await effects(jobs, plan),
    await history(jobs),
    await rest(jobs),
  ];
}

/** What the faults have interrupted: the steps that were begun more than once, and the workers that they lost in all. */
export async function interruptions(jobs: BenchJobs): Promise<{ steps: number; losses: number }> {
  const [row] = await select<{ steps: number; losses: number }>(
    jobs,
    'SELECT count(*)::int AS steps, coalesce(sum(losses), 0)::int AS losses FROM jobs.steps WHERE losses > 0',
  );
  return row ?? { steps: 0, losses: 0 };
}

/** How long jobs took from their creation to their end, in seconds: the median, and the longest. */
export async function durations(jobs: BenchJobs): Promise<{ median: number; longest: number }> {
  const [row] = await select<{ median: number; longest: number }>(
    jobs,
    `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds) AS median, max(seconds) AS longest FROM (
       SELECT extract(epoch FROM ended.updated_at - created_at)::float8 AS seconds
       FROM jobs.jobs JOIN jobs.ended ON ended.job_id = jobs.id) AS took`,
  );
  return row ?? { median: Number.NaN, longest: Number.NaN };
}

function oneJobEach(rows: readonly JobRow[], plan: readonly Expected[]): Verdict {
  const names = new Set(rows.map(({ name }) => name));
  const isKept = rows.length === plan.length && plan.every(({ name }) => names.has(name));
  return { promise: 'each submission and each file has one job', isKept, figure: `${rows.length} of ${plan.length}` };
}

function statuses(rows: readonly JobRow[], plan: readonly Expected[]): Verdict {
  const statusOf = new Map(rows.map(({ name, status }) => [name, status]));
  const other = plan.filter(({ name, status }) => statusOf.get(name) !== status);
  const [completed, failed] = ['COMPLETED', 'ERROR'].map(
    (status) => rows.filter((row) => row.status === status).length,
  );
  return {
    promise: 'each job is COMPLETED, or in ERROR by its own fault',
    isKept: other.length === 0,
    figure: `${completed} COMPLETED, ${failed} ERROR, ${other.length} other than planned${exampleOf(other, statusOf)}`,
  };
}

function exampleOf([first]: readonly Expected[], statusOf: ReadonlyMap<string, string>): string {
  return first ? ` (${first.name}: ${statusOf.get(first.name)})` : '';
}

/** Each delivery of a file is an audit record of its transaction: so versions that were replaced count too. */
async function effects(jobs: BenchJobs, plan: readonly Expected[]): Promise<Verdict> {
  const delivered = await select<{ path: string; count: number }>(
    jobs,
    `SELECT payload ->> 'entityName' AS path, count(*)::int AS count FROM outbox.events
     WHERE topic = 'audit-event' AND payload ->> 'auditCode' = 'AUD0041A' AND payload::text LIKE '%/out/%' GROUP BY 1`,
  );
  const expected = new Set(plan.flatMap(({ files }) => files));
  const twice = delivered.filter(({ count }) => count > 1).length;
  const missing = expected.size - delivered.filter(({ path }) => expected.has(path)).length;
  const unplanned = delivered.filter(({ path }) => !expected.has(path)).length;
  return {
    promise: 'each effect once',
    isKept: twice === 0 && missing === 0 && unplanned === 0,
    figure: `${delivered.length} files; ${missing} missing, ${twice} delivered twice, ${unplanned} not planned`,
  };
}

/** Each job begins with `submit`, each change follows the one before and the transition table. */
async function history(jobs: BenchJobs): Promise<Verdict> {
  const rows = await select<HistoryRow>(
    jobs,
    'SELECT job_id, from_status, to_status, transition FROM jobs.history ORDER BY job_id, id',
  );
  const last = new Map<string, string>();
  const illegal = rows.filter((row) => {
    const before = last.get(row.job_id);
    last.set(row.job_id, row.to_status);
    if (row.transition === 'submit') return before !== undefined;
    const { to } = transitionTable[row.transition];
    return (
      row.from_status !== before || row.to_status !== to || !canMove(row.from_status ?? 'SUBMITTED', row.transition)
    );
  });
  return {
    promise: 'legal history',
    isKept: illegal.length === 0 && rows.length > 0,
    figure: `${rows.length} changes, ${illegal.length} illegal ${illegal.length > 0 ? JSON.stringify(illegal[0]) : ''}`,
  };
}

async function rest(jobs: BenchJobs): Promise<Verdict> {
  const [left] = await select<{ jobs: number; events: number }>(
    jobs,
    `SELECT (SELECT count(*)::int FROM jobs.active) AS jobs,
       (SELECT count(*)::int FROM outbox.events WHERE topic = 'file-event') AS events`,
  );
  const isKept = left?.jobs === 0 && left.events === 0;
  return { promise: 'nothing waits', isKept, figure: `${left?.jobs} jobs and ${left?.events} file events left` };
}

async function select<Row>({ db }: BenchJobs, sql: string): Promise<Row[]> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql);
  return rows;
}
