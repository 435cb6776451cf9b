import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { spawnEnvironment } from '@waybill/test-kit/spawn-environment';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/submit-job.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;
const children: ChildProcess[] = [];

beforeEach(async () => {
  platform = await startTestPlatform();
});

afterEach(async () => {
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await platform?.[Symbol.asyncDispose]();
});

function spawnWorker(): ChildProcess {
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const env = spawnEnvironment({ ...platform.env, ROLE: 'worker', JOB_LEASE_SECONDS: '2', JOB_POLL_SECONDS: '0.1' });
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return child;
}

/** A job that compresses for seconds. */
async function submitLong(): Promise<number> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const { job } = await createSubmitJob({ directory: openDirectory({ db: platform.db }), register })({
    userName: userNameSchema.parse('admin'),
    contractName: 'invoices',
    actionName: 'write-then-compress',
    actionVariables: { source: '/inbox/big' },
  });
  return job.id;
}

const rows = (sql: string, ...values: unknown[]) => platform.database.query(sql, values);
const dueNow = () =>
  rows(`UPDATE jobs.active SET due_at = clock_timestamp() WHERE due_at IS NOT NULL AND fence IS NULL`);

/** The processes that run one job alone, by job. */
function loneProcesses(worker: ChildProcess): { pid: number; jobId: number }[] {
  const { stdout: listed } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(worker.pid)], { encoding: 'utf8' });
  return [...listed.matchAll(/^\s*(\d+) .*"jobId":(\d+)/gmu)].map(([, pid, jobId]) => ({
    pid: Number(pid),
    jobId: Number(jobId),
  }));
}

const untilRunning = (count: number) =>
  waitFor(
    async () =>
      (
        await rows(
          `SELECT FROM jobs.steps JOIN jobs.active USING (job_id) WHERE position = 1 AND steps.status = 'RUNNING' AND fence IS NOT NULL`,
        )
      ).length === count,
    { what: `${count} steps to run`, timeoutMs: 30_000 },
  );

describe('jobs whose worker was killed', () => {
  it('each run in a process of their own afterwards; only the one that takes its process down is condemned', async () => {
    await platform.deliver('/inbox/big', randomBytes(64 * 1024 * 1024));
    const poison = await submitLong();
    const neighbour = await submitLong();
    const first = spawnWorker();
    await untilRunning(2);
    first.kill('SIGKILL');
    await once(first, 'exit');

    const second = spawnWorker();
    let deaths = 0;
    await waitFor(
      async () => {
        const found = loneProcesses(second).find(({ jobId }) => jobId === poison);
        if (found) {
          process.kill(found.pid, 'SIGKILL');
          deaths += 1;
          await waitFor(() => !loneProcesses(second).some(({ pid }) => pid === found.pid), { what: 'its end' });
        }
        await dueNow();
        return (await rows('SELECT FROM jobs.ended WHERE job_id = $1', poison)).length === 1;
      },
      { what: 'the end of the poison', timeoutMs: 100_000 },
    );
    const [condemned] = await rows('SELECT status, status_message FROM jobs.ended WHERE job_id = $1', poison);
    expect(condemned?.['status']).toBe('ERROR');
    expect(condemned?.['status_message']).toContain('10 times while it ran nothing else');
    expect(deaths).toBe(10);
    await waitFor(async () => (await rows('SELECT FROM jobs.ended WHERE job_id = $1', neighbour)).length === 1, {
      what: 'the neighbour',
      timeoutMs: 30_000,
    });
    expect(await rows('SELECT status FROM jobs.ended WHERE job_id = $1', neighbour)).toEqual([{ status: 'COMPLETED' }]);
    expect(second.exitCode).toBeNull();
  }, 180_000);

  it('are interrupted with their worker: no process is left behind', async () => {
    await platform.deliver('/inbox/big', randomBytes(64 * 1024 * 1024));
    const id = await submitLong();
    const first = spawnWorker();
    await untilRunning(1);
    first.kill('SIGKILL');
    await once(first, 'exit');
    const second = spawnWorker();
    const [lone] = await waitFor(
      () => {
        const found = loneProcesses(second);
        return found.length > 0 ? found : undefined;
      },
      { what: 'the process of the job', timeoutMs: 20_000 },
    );
    await untilRunning(1);
    second.kill('SIGTERM');
    expect((await once(second, 'exit'))[0]).toBe(0);
    expect(() => process.kill(lone!.pid, 0)).toThrow('ESRCH');
    expect(await rows('SELECT ready, suspect, losses FROM jobs.active WHERE job_id = $1', id)).toEqual([
      { ready: true, suspect: true, losses: 0 },
    ]);
    const third = spawnWorker();
    await waitFor(() => loneProcesses(third).length > 0, { what: 'the process of the job', timeoutMs: 20_000 });
    const [orphan] = loneProcesses(third);
    third.kill('SIGKILL');
    await waitFor(
      () => {
        try {
          process.kill(orphan!.pid, 0);
          return false;
        } catch {
          return true;
        }
      },
      { what: 'the process to end with its worker' },
    );
  }, 60_000);
});
