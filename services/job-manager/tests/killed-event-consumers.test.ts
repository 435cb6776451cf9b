import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testProcesses } from './test-managers.ts';

let platform: TestPlatform;
const processes = testProcesses();
const files = 80;

beforeEach(async () => {
  platform = await startTestPlatform();
});
afterEach(() => platform?.[Symbol.asyncDispose]());

const query = (sql: string) => platform.database.query(sql);
const start = (ROLE: string) => processes.start(platform, { ROLE, JOB_POLL_SECONDS: '0.2' });

async function kill(victim: ChildProcess): Promise<void> {
  victim.kill('SIGKILL');
  await once(victim, 'exit');
}

async function deliver(from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) await platform.deliver(`/inbox/${index}.csv`, Buffer.from('file'));
}

/** Transactions that create jobs and cannot, each of which holds events. */
const stuck = `SELECT FROM pg_locks WHERE NOT granted AND relation = 'jobs.jobs'::regclass`;

it('each file starts one job of each action, though the workers that turn events into jobs are killed', async () => {
  start('scheduler');
  start('scheduler');
  let workers = [start('worker'), start('worker')];
  await waitFor(async () => (await query('SELECT FROM jobs.workers')).length === 2, {
    what: 'both workers',
    timeoutMs: 60_000,
  });

  // In the middle of their transactions: the events are taken, and the jobs are not there yet.
  const blocker = await platform.db.transaction();
  await blocker.raw('LOCK TABLE jobs.jobs IN SHARE ROW EXCLUSIVE MODE');
  await deliver(0, files / 2);
  await waitFor(async () => (await query(stuck)).length >= 2, { what: 'both workers to hold events' });
  for (const worker of workers) await kill(worker);
  await blocker.rollback();
  expect(await query('SELECT FROM jobs.jobs')).toEqual([]);

  // And at any moment.
  workers = [start('worker'), start('worker')];
  const delivering = deliver(files / 2, files);
  for (let round = 1; round <= 2; round += 1) {
    await waitFor(async () => (await query('SELECT FROM jobs.jobs')).length >= round * 15, { what: 'jobs' });
    const [oldest, ...others] = workers;
    if (oldest) await kill(oldest);
    workers = [...others, start('worker')];
  }
  await delivering;
  await waitFor(async () => (await query('SELECT FROM jobs.ended')).length >= files, {
    what: 'all jobs',
    timeoutMs: 180_000,
  });

  expect(await query(`SELECT FROM outbox.events WHERE topic = 'file-event'`)).toEqual([]);
  expect(
    await query(
      `SELECT count(*)::int AS jobs, count(DISTINCT (event_id, contract, contract_action))::int AS events,
         count(DISTINCT file ->> 'path')::int AS files FROM jobs.jobs`,
    ),
  ).toEqual([{ jobs: files, events: files, files }]);
  expect(await query(`SELECT status, count(*)::int AS count FROM jobs.ended GROUP BY status`)).toEqual([
    { status: 'COMPLETED', count: files },
  ]);
  expect(
    await query(
      `SELECT count(*)::int AS deliveries FROM outbox.events WHERE topic = 'audit-event'
       AND payload ->> 'auditCode' = 'AUD0041A' AND payload::text LIKE '%/outbox/%'`,
    ),
  ).toEqual([{ deliveries: files }]);
}, 300_000);
