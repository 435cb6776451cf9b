import { randomBytes } from 'node:crypto';
import { pathParameter } from '@waybill/contracts/tasks/task-specification';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTask } from '../src/tasks/define-task.ts';
import { taskTable } from '../src/tasks/task-table.ts';
import { emptyJobs } from './empty-jobs.ts';
import { queueRequests } from './queue-requests.ts';
import { readSamples } from './read-samples.ts';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

/** `write-file`, replaced by a task that ends when a test lets it. */
let gate = Promise.withResolvers<void>();
const waiting = defineTask({
  summary: '',
  parameters: z.looseObject({}),
  outputs: z.object({}),
  run: async (_parameters, { signal }) => {
    const aborted = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('interrupted')), { once: true }),
    );
    await Promise.race([gate.promise, aborted]);
    return { path: '/outbox/any' };
  },
});

/** `gzip`, replaced by a task that computes endlessly in a thread. */
const computing = defineTask({
  summary: '',
  parameters: z.looseObject({ source: pathParameter }),
  outputs: z.object({}),
  run: async ({ source }, { files, compute, signal }) => {
    await using file = await files.open(source);
    const program = new URL('test-computation.ts', import.meta.url);
    return {
      ...(await compute({ program, parameters: { does: 'compute endlessly' }, input: file.content() }, signal)),
    };
  },
});

let platform: TestPlatform;
let manager: TestJobManager;

beforeAll(async () => {
  platform = await startTestPlatform();
  // The default queue has room for eight jobs, the worker for five.
  const settings = { JOB_CONCURRENCY: '5', JOB_POLL_SECONDS: '0.2' };
  manager = await startTestJobManager(platform, settings, { ...taskTable, 'write-file': waiting, gzip: computing });
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await emptyJobs(platform.database);
  gate = Promise.withResolvers();
});
afterEach(() => gate.resolve());

const samples = (name: string) => readSamples(manager.client, name);

async function submit(contractName: string, actionName = 'write-report', actionVariables = {}): Promise<number> {
  const response = await manager.submit({
    contractName,
    actionName,
    actionVariables: { name: 'any', ...actionVariables },
  });
  return (response.json() as ShownJob).id;
}

const soon = { timeout: 60_000 };

it('counts the jobs that have not ended, by status and queue', async () => {
  await expect.poll(() => samples('waybill_jobs'), soon).toEqual({});
  const running = await submit('single');
  await manager.reaches(running, 'RUNNING');
  await submit('single');
  await submit('single');
  await submit('urgent');
  await submit('closed');
  await submit('closed');
  await expect
    .poll(() => samples('waybill_jobs'), soon)
    .toEqual({
      'status="RUNNING",queue="Single"': 1,
      'status="SUBMITTED",queue="Single"': 2,
      'status="RUNNING",queue="Urgent"': 1,
      'status="SUSPENDED",queue="Closed"': 2,
    });
  await expect.poll(() => samples('waybill_jobs_running'), soon).toEqual({ '': 2 });
  gate.resolve();
  await expect.poll(() => samples('waybill_jobs'), soon).toEqual({ 'status="SUSPENDED",queue="Closed"': 2 });
  await expect.poll(() => samples('waybill_jobs_running'), soon).toEqual({ '': 0 });
});

it('shows how long the oldest job has been ready that no worker has taken, in any queue', async () => {
  const age = (id: number, interval: string) =>
    platform.database.query('UPDATE jobs.active SET since = clock_timestamp() - $2::interval WHERE job_id = $1', [
      id,
      interval,
    ]);
  const running = await submit('single');
  await manager.reaches(running, 'RUNNING');
  const closed = await submit('closed');
  await manager.reaches(closed, 'SUSPENDED');
  // Neither a running nor a suspended job is ready.
  await age(running, '3 hours');
  await age(closed, '2 hours');
  await expect.poll(() => samples('waybill_jobs_oldest_ready_seconds'), soon).toEqual({ '': 0 });
  const older = await submit('single');
  const newer = await submit('single');
  await age(older, '1 hour');
  await age(newer, '1 minute');
  const seconds = (await samples('waybill_jobs_oldest_ready_seconds'))[''] ?? 0;
  expect(seconds).toBeGreaterThanOrEqual(3_600);
  // By the clock of PostgreSQL, which also set the age.
  const [{ elapsed } = {}] = await platform.database.query(
    'SELECT extract(epoch FROM clock_timestamp() - since)::float8 AS elapsed FROM jobs.active WHERE job_id = $1',
    [older],
  );
  expect(seconds).toBeLessThanOrEqual(Number(elapsed));
  gate.resolve();
  await expect.poll(() => samples('waybill_jobs_oldest_ready_seconds'), soon).toEqual({ '': 0 });
});

it('counts every start of a job once, with the time that it has waited', async () => {
  const count = async () => (await samples('waybill_job_start_delay_seconds_count'))[''] ?? 0;
  const sum = async () => (await samples('waybill_job_start_delay_seconds_sum'))[''] ?? 0;
  const claims = async () => (await samples('waybill_job_claim_seconds_count'))[''] ?? 0;
  const [countBefore, sumBefore, claimsBefore] = [await count(), await sum(), await claims()];
  gate.resolve();
  const ids = await Promise.all(Array.from({ length: 7 }, () => submit('single')));
  for (const id of ids) await manager.reaches(id, 'COMPLETED', 30_000);
  expect((await count()) - countBefore).toBe(7);
  const rows = await platform.database.query(
    `SELECT sum(extract(epoch FROM history.at - jobs.created_at))::float8 AS waited
     FROM jobs.history JOIN jobs.jobs ON jobs.id = history.job_id WHERE history.transition = 'start'`,
  );
  // Times of jobs are read in milliseconds.
  expect((await sum()) - sumBefore).toBeCloseTo(Number(rows[0]?.['waited']), 1);
  // One job at a time runs in the queue, and each was claimed.
  expect((await claims()) - claimsBefore).toBeGreaterThanOrEqual(7);
});

it('shows how much runs in which lane', async () => {
  const lanes = () => samples('waybill_job_lanes');
  const inLanes = (inline: number, process: number, thread: number) => ({
    'lane="inline"': inline,
    'lane="process"': process,
    'lane="thread"': thread,
  });
  await expect.poll(lanes, soon).toEqual(inLanes(0, 0, 0));
  const waits = [await submit('single'), await submit('urgent')];
  await expect.poll(lanes, soon).toEqual(inLanes(2, 0, 0));
  await platform.deliver('/inbox/any.csv', Buffer.from('a'));
  await expect.poll(lanes, soon).toEqual(inLanes(3, 0, 1));

  await platform.deliver('/inbox/long', randomBytes(64 * 1024 * 1024));
  const { pause, act } = queueRequests({ platform, manager });
  await pause('Default Queue');
  const suspect = await submit('invoices', 'write-then-compress', { source: '/inbox/long' });
  await platform.database.query('UPDATE jobs.active SET suspect = true WHERE job_id = $1', [suspect]);
  await act('Default Queue', 'resume');
  await expect.poll(lanes, soon).toEqual(inLanes(3, 1, 1));
  gate.resolve();
  for (const id of waits) await manager.reaches(id, 'COMPLETED');
  await manager.reaches(suspect, 'COMPLETED', 60_000);
  await expect.poll(lanes, soon).toEqual(inLanes(1, 0, 1));
  const { jobs } = await manager.jobs({ status: 'RUNNING' });
  for (const { id } of jobs) await manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: manager.admin });
  await expect.poll(lanes, soon).toEqual(inLanes(0, 0, 0));
});
