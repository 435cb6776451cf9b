import { once } from 'node:events';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { deliverLong, submitLong } from './submit-long-job.ts';
import { testProcesses } from './test-managers.ts';

let platform: TestPlatform;
const processes = testProcesses();
/** No test lasts as long as a lease: what is continued was handed back. */
const longLease = { ROLE: 'worker', JOB_LEASE_SECONDS: '3600', JOB_POLL_SECONDS: '0.1' };

beforeAll(async () => {
  platform = await startTestPlatform();
  await deliverLong(platform);
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const query = async (sql: string, ...values: unknown[]) => (await platform.database.query(sql, values))[0];

/** A job that compresses for seconds, when its step is under way in a worker. */
async function runLong(): Promise<{ id: number; owner: string }> {
  const id = await submitLong(platform);
  const running = await waitFor(
    () =>
      query(
        `SELECT owner FROM jobs.active JOIN jobs.steps USING (job_id)
         WHERE job_id = $1 AND position = 1 AND steps.status = 'RUNNING' AND fence IS NOT NULL`,
        id,
      ),
    { what: 'the long step' },
  );
  return { id, owner: String(running['owner']) };
}

/** The worker that stops cannot write down that it hands the job back: the row is locked. */
async function stopBehindLock(env: Readonly<Record<string, string>> = {}) {
  const worker = processes.start(platform, { ...longLease, ...env });
  const { id } = await runLong();
  const blocker = await platform.db.transaction();
  await blocker.raw('SELECT FROM jobs.active WHERE job_id = ? FOR UPDATE', [id]);
  const exit = once(worker, 'exit');
  worker.kill('SIGTERM');
  await waitFor(
    () => query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`),
    { what: 'the worker to wait' },
  );
  return { id, worker, exit, blocker };
}

describe('a worker that is told to stop', () => {
  it('hands its job to another worker at once, whatever its lease', async () => {
    const first = processes.start(platform, { ...longLease, NODE_NAME: 'first' });
    const { id, owner } = await runLong();
    expect(owner).toMatch(/^first\//u);
    processes.start(platform, { ...longLease, NODE_NAME: 'second' });
    const exit = once(first, 'exit');
    first.kill('SIGTERM');
    await waitFor(() => query(`SELECT FROM jobs.active WHERE job_id = $1 AND owner LIKE 'second/%'`, id), {
      what: 'the other worker to have the job',
    });
    expect((await exit)[0]).toBe(0);
    await waitFor(() => query(`SELECT FROM jobs.ended WHERE job_id = $1 AND status = 'COMPLETED'`, id), {
      what: 'the end of the job',
    });
    expect(await query('SELECT failures, losses FROM jobs.steps WHERE job_id = $1 AND position = 1', id)).toEqual({
      failures: 0,
      losses: 0,
    });
  });

  it('ends at its deadline, even if it cannot hand its job back', async () => {
    const { exit, blocker } = await stopBehindLock({ SHUTDOWN_TIMEOUT_SECONDS: '2' });
    expect(await exit).toEqual([null, 'SIGKILL']);
    await blocker.rollback();
  });

  it('ends at once when it is told so a second time', async () => {
    const { worker, exit, blocker } = await stopBehindLock({ SHUTDOWN_TIMEOUT_SECONDS: '3600' });
    worker.kill('SIGTERM');
    expect(await exit).toEqual([null, 'SIGTERM']);
    await blocker.rollback();
  });
});
