import { startDurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { urlAs } from '@waybill/test-kit/test-roles';
import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createBatchedLedger } from '../src/adapters/jobs/batched-ledger.ts';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import type { ClaimedJob, JobLedger, LogLine } from '../src/domain/jobs/job-ledger.ts';
import { jobIn, openQueue } from './claimable.ts';
import { emptyJobs } from './empty-jobs.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;
let ledger: JobLedger;

beforeAll(async () => {
  platform = await startTestPlatform();
  ledger = batchedLedger(platform);
});
afterAll(() => platform?.[Symbol.asyncDispose]());
beforeEach(() => emptyJobs(platform.database));

const batchedLedger = ({ db }: Pick<TestPlatform, 'db'>) =>
  createBatchedLedger(
    db,
    createKnexJobLedger({ db, owner: 'w', leaseMs: 60_000, patienceMs: 600_000, site: testSite }),
  );
const query = (sql: string, ...values: unknown[]) => platform.database.query(sql, values);
const step = { position: 0, name: 'one', task: 'write-file' };

async function claimed(count: number): Promise<ClaimedJob[]> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  for (let index = 0; index < count; index += 1) await register.add(jobIn('q'));
  const jobs = await ledger.claim([openQueue('q')], count);
  expect(jobs).toHaveLength(count);
  return jobs;
}

const begin = (jobs: readonly ClaimedJob[]) => Promise.all(jobs.map(({ hold }) => ledger.beginStep(hold, step)));
const complete = (jobs: readonly ClaimedJob[], outputs: Readonly<Record<string, string>> = {}) =>
  Promise.all(jobs.map(({ hold }) => ledger.completeJob(hold, 0, outputs, 'All done')));

it('completes many jobs at once, each with its step, its result and its history', async () => {
  const jobs = await claimed(30);
  const attempts = await begin(jobs);
  expect(attempts).toEqual(jobs.map(() => ({ attempts: 1, failures: 0, losses: 0, lossesAlone: 0 })));
  const results = await Promise.all(
    jobs.map(({ job, hold }) => ledger.completeJob(hold, 0, { path: `/${job.id}` }, `Done ${job.id}`)),
  );
  expect(results).toEqual(jobs.map(() => true));
  expect(await query('SELECT FROM jobs.active')).toEqual([]);
  const ended = await query(
    `SELECT ended.job_id::int AS id, ended.status, status_message AS message, steps.status AS step, outputs, error,
       (SELECT array_agg(transition ORDER BY history.id) FROM jobs.history WHERE history.job_id = ended.job_id) AS history
     FROM jobs.ended JOIN jobs.steps ON steps.job_id = ended.job_id AND position = 0 ORDER BY ended.job_id`,
  );
  expect(ended).toEqual(
    jobs.map(({ job: { id } }) => ({
      id,
      status: 'COMPLETED',
      message: `Done ${id}`,
      step: 'COMPLETED',
      outputs: { path: `/${id}` },
      error: '',
      history: ['submit', 'start', 'complete'],
    })),
  );
});

it('completes a step without its job, and counts the attempts and losses of each step', async () => {
  const jobs = await claimed(3);
  await begin(jobs);
  const again = await begin(jobs.slice(1));
  expect(again).toEqual(jobs.slice(1).map(() => ({ attempts: 2, failures: 0, losses: 1, lossesAlone: 0 })));
  expect(await Promise.all(jobs.map(({ hold }) => ledger.completeStep(hold, 0, { size: '1' })))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await query(`SELECT FROM jobs.active WHERE status = 'RUNNING' AND fence IS NOT NULL`)).toHaveLength(3);
  expect(await query(`SELECT FROM jobs.steps WHERE status = 'COMPLETED' AND outputs = '{"size": "1"}'`)).toHaveLength(
    3,
  );
});

it('keeps the inputs of the last attempt of a step, and the newest log lines of all', async () => {
  const jobs = await claimed(2);
  const line = (attempt: number, message: string) => ({ at: '2026-11-22T20:00:00.000Z', attempt, message });
  const beginWith = (path: string) =>
    Promise.all(jobs.map(({ hold }) => ledger.beginStep(hold, { ...step, inputs: { path } })));
  await beginWith('/first');
  const lines = Array.from({ length: 70 }, (_, index) => line(1, `line ${index}`));
  await Promise.all(jobs.map(({ hold }) => ledger.completeStep(hold, 0, {}, lines)));
  await beginWith('/second');
  const [first, second] = jobs.map(({ hold }, index) =>
    ledger.completeJob(hold, 0, {}, 'done', index === 0 ? lines.map(({ message }) => line(2, message)) : []),
  );
  expect([await first, await second]).toEqual([true, true]);
  const [long, short] = await Promise.all(jobs.map(({ job }) => ledger.stepsOf(job.id)));
  expect(long?.[0]?.inputs).toEqual({ path: '/second' });
  expect(long?.[0]?.log).toHaveLength(100);
  expect(long?.[0]?.log.slice(29, 31)).toEqual([line(1, 'line 69'), line(2, 'line 0')]);
  expect(short?.[0]?.log).toEqual(lines);
});

it('tells each caller exactly whether it still held its job', async () => {
  const jobs = await claimed(4);
  const [taken, aborted] = jobs;
  await query('UPDATE jobs.active SET fence = 1 WHERE job_id = $1', taken?.job.id);
  const register = createKnexJobRegister(platform.db, { site: testSite });
  if (aborted) await register.move(aborted.job.id, 'abort', { by: 'admin', message: 'stop' });
  expect((await begin(jobs)).map((begun) => begun?.attempts)).toEqual([undefined, undefined, 1, 1]);
  expect(await complete(jobs)).toEqual([false, false, true, true]);
  expect(await query('SELECT status, count(*)::int AS count FROM jobs.ended GROUP BY status ORDER BY status')).toEqual([
    { status: 'ABORTED', count: 1 },
    { status: 'COMPLETED', count: 2 },
  ]);
  expect(await query('SELECT fence::int AS fence FROM jobs.active')).toEqual([{ fence: 1 }]);
});

it('fails only the job whose result PostgreSQL refuses', async () => {
  const jobs = await claimed(3);
  await begin(jobs);
  const results = await Promise.allSettled(
    jobs.map(({ hold }, index) => ledger.completeJob(hold, 0, { text: index === 1 ? '\u0000' : 'fine' }, 'done')),
  );
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await query('SELECT job_id::int AS id FROM jobs.active')).toEqual([{ id: jobs[1]?.job.id }]);
  expect(await query('SELECT FROM jobs.ended')).toHaveLength(2);
});

it('keeps no job waiting for a neighbour that another transaction has locked', async () => {
  const jobs = await claimed(3);
  await begin(jobs);
  const blocker = new pg.Client({ connectionString: urlAs('job_manager', platform.database.url) });
  await blocker.connect();
  await blocker.query('BEGIN');
  await blocker.query('SELECT FROM jobs.active WHERE job_id = $1 FOR UPDATE', [firstOf(jobs).job.id]);
  const [locked, ...others] = jobs.map(({ hold }) => ledger.completeJob(hold, 0, {}, 'done'));
  expect(await Promise.all(others)).toEqual([true, true]);
  await waitFor(
    async () =>
      (await query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`))
        .length === 1,
    { what: 'the locked job to be waited for' },
  );
  // Later jobs do not wait for it either.
  const [later] = await claimed(1);
  if (later) expect((await begin([later]))[0]?.attempts).toBe(1);
  expect(later && (await complete([later]))).toEqual([true]);
  await blocker.query('ROLLBACK');
  await blocker.end();
  expect(await locked).toBe(true);
});

it('renews leases and completes jobs at the same time without a deadlock', async () => {
  const jobs = await claimed(60);
  await begin(jobs);
  const over = new AbortController();
  const renewals = (async () => {
    while (!over.signal.aborted) await ledger.renew(jobs.map(({ hold }) => hold).toReversed());
  })();
  const results: boolean[] = [];
  for (let from = 0; from < jobs.length; from += 10) results.push(...(await complete(jobs.slice(from, from + 10))));
  over.abort();
  await renewals;
  expect(results).toEqual(jobs.map(() => true));
});

it('loses no completion that it has acknowledged when PostgreSQL is killed during one, and decides nothing twice', async () => {
  await using postgres = await startDurablePostgres();
  await using durable = await startTestPlatform({
    url: postgres.url('postgres'),
    query: () => Promise.reject(new Error('this test looks itself')),
  });
  const register = createKnexJobRegister(durable.db, { site: testSite });
  for (let index = 0; index < 200; index += 1) await register.add(jobIn('q'));
  const durableLedger = batchedLedger(durable);
  const jobs = await durableLedger.claim([openQueue('q')], 200);
  await Promise.all(jobs.map(({ hold }) => durableLedger.beginStep(hold, step)));
  const acknowledged: number[] = [];
  const completions = jobs.map(async ({ job, hold }) => {
    if (await durableLedger.completeJob(hold, 0, {}, 'done')) acknowledged.push(job.id);
  });
  const settled = Promise.allSettled(completions);
  await waitFor(() => acknowledged.length > 0, { what: 'the first statement' });
  await postgres.kill();
  await settled;
  await postgres.restart();
  const { rows } = await waitFor(
    () =>
      durable.db.raw<{ rows: { id: number; lines: number }[] }>(
        `SELECT job_id::int AS id, count(*)::int AS lines FROM jobs.history WHERE transition = 'complete' GROUP BY job_id`,
      ),
    { what: 'PostgreSQL', timeoutMs: 20_000 },
  );
  expect(rows.every(({ lines }) => lines === 1)).toBe(true);
  const completed = new Set(rows.map(({ id }) => id));
  expect(acknowledged.filter((id) => !completed.has(id))).toEqual([]);
});

it('keeps the newest 100 lines of a step over all its attempts', async () => {
  await createKnexJobRegister(platform.db, { site: testSite }).add(jobIn('q'));
  const claim = async () => firstOf(await ledger.claim([openQueue('q')], 1));
  const linesOf = (attempt: number): LogLine[] =>
    Array.from({ length: 70 }, (_, line) => ({ at: new Date().toISOString(), attempt, message: `line ${line}` }));
  for (const attempt of [1, 2, 3]) {
    const { hold } = await claim();
    await ledger.beginStep(hold, step);
    // An attempt that says nothing takes nothing away.
    await ledger.retryStep(hold, 0, 'no luck', 0, attempt === 3 ? [] : linesOf(attempt));
  }
  const { job } = await claim();
  const { log } = firstOf(await ledger.stepsOf(job.id));
  expect(log).toHaveLength(100);
  expect(log[0]).toMatchObject({ attempt: 1, message: 'line 40' });
  expect(log.at(-1)).toMatchObject({ attempt: 2, message: 'line 69' });
});
