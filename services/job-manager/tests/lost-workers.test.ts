import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { deliverLong, submitLong } from './submit-long-job.ts';
import { testProcesses } from './test-managers.ts';

let platform: TestPlatform;
const processes = testProcesses();

beforeEach(async () => {
  platform = await startTestPlatform();
  await deliverLong(platform);
});

afterEach(() => platform?.[Symbol.asyncDispose]());

const spawnWorker = () => processes.start(platform, { ROLE: 'worker', JOB_POLL_SECONDS: '0.1' });

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

async function attemptsOf(jobId: number): Promise<number> {
  const [step] = await rows('SELECT attempts FROM jobs.steps WHERE job_id = $1 AND position = 1', jobId);
  return Number(step?.['attempts'] ?? 0);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
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

/** Kills a worker that runs so many jobs. */
async function loseWorker(jobs: number): Promise<void> {
  const worker = spawnWorker();
  await untilRunning(jobs);
  worker.kill('SIGKILL');
  await once(worker, 'exit');
}

describe('jobs whose worker was killed', () => {
  it('each run in a process of their own afterwards; only the one that takes its process down is condemned', async () => {
    const [poison, neighbour] = [await submitLong(platform), await submitLong(platform)];
    await loseWorker(2);
    const second = spawnWorker();
    let deaths = 0;
    let attempts = await attemptsOf(poison);
    await waitFor(
      async () => {
        const begun = await attemptsOf(poison);
        const lone = loneProcesses(second).find(({ jobId }) => jobId === poison);
        if (lone && begun > attempts) {
          attempts = begun;
          process.kill(lone.pid, 'SIGKILL');
          deaths += 1;
          await waitFor(() => !isAlive(lone.pid), { what: 'its end' });
        }
        await dueNow();
        return (await rows('SELECT FROM jobs.ended WHERE job_id = $1', poison)).length === 1;
      },
      { what: 'the end of the poison', timeoutMs: 200_000 },
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
  }, 300_000);

  it('are not blamed for the death of a process that had not begun them', async () => {
    const id = await submitLong(platform);
    await loseWorker(1);
    const attempts = await attemptsOf(id);
    const second = spawnWorker();
    const find = () => loneProcesses(second)[0];
    const early = await waitFor(find, { what: 'the process of the job', timeoutMs: 20_000, intervalMs: 5 });
    process.kill(early.pid, 'SIGKILL');
    expect(await attemptsOf(id)).toBe(attempts);
    await waitFor(() => loneProcesses(second).some(({ pid }) => pid !== early.pid), {
      what: 'another process',
      timeoutMs: 20_000,
    });
    expect(await rows('SELECT suspect, losses FROM jobs.active WHERE job_id = $1', id)).toEqual([
      { suspect: true, losses: 0 },
    ]);
  });

  it('are interrupted with their worker: no process is left behind', async () => {
    const id = await submitLong(platform);
    await loseWorker(1);
    const second = spawnWorker();
    const lone = await waitFor(() => loneProcesses(second)[0], {
      what: 'the process of the job',
      timeoutMs: 20_000,
    });
    await untilRunning(1);
    second.kill('SIGTERM');
    expect((await once(second, 'exit'))[0]).toBe(0);
    expect(isAlive(lone.pid)).toBe(false);
    expect(await rows('SELECT ready, suspect, losses FROM jobs.active WHERE job_id = $1', id)).toEqual([
      { ready: true, suspect: true, losses: 0 },
    ]);
    const third = spawnWorker();
    const orphan = await waitFor(() => loneProcesses(third)[0], {
      what: 'the process of the job',
      timeoutMs: 20_000,
    });
    third.kill('SIGKILL');
    await waitFor(() => !isAlive(orphan.pid), { what: 'the process to end with its worker' });
  });
});
