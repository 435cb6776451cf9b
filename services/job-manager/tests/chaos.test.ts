import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { canMove, transitionTable } from '../src/domain/jobs/transition-table.ts';
import { firstOf } from './claimable.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testProcesses } from './test-managers.ts';

const processes = testProcesses();
const spawnRole = (platform: TestPlatform, role: string) =>
  processes.start(platform, { ROLE: role, JOB_POLL_SECONDS: '0.2' });

it('runs every job once while workers are killed, stopped and continued, and Redis is flushed and killed', async () => {
  await using platform = await startTestPlatform();
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const submitJob = createSubmitJob({ directory: openDirectory({ db: platform.db }), register });
  const ids: number[] = [];
  const total = 400;
  const submitting = (async () => {
    for (let index = 0; index < total; index += 1) {
      const { job } = await submitJob({
        userName: userNameSchema.parse('admin'),
        contractName: 'invoices',
        actionName: 'write-report',
        actionVariables: { name: `chaos-${index}`, text: String(index) },
      });
      ids.push(job.id);
      await delay(10);
    }
  })();

  spawnRole(platform, 'scheduler');
  let workers = [spawnRole(platform, 'worker'), spawnRole(platform, 'worker')];
  const kill = async (index: number): Promise<void> => {
    const victim = firstOf(workers.slice(index));
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    workers = workers.with(index, spawnRole(platform, 'worker'));
  };
  const progress = async (): Promise<number> =>
    Number((await platform.database.query('SELECT count(*) AS count FROM jobs.ended'))[0]?.['count']);
  const until = (count: number) =>
    waitFor(async () => (await progress()) >= Math.min(count, ids.length), {
      what: `${count} jobs`,
      timeoutMs: 60_000,
    });

  // One stops in the middle, for longer than its leases, and continues when others have its jobs.
  await until(20);
  const stopped = firstOf(workers);
  stopped.kill('SIGSTOP');
  const stoppedAt = performance.now();
  for (let round = 1; round <= 6; round += 1) {
    await until(round * 40);
    await kill(1);
    if (round === 2) await platform.redis.flush();
    if (round === 3) await platform.redis.kill();
    if (round === 4) {
      // Longer than its leases.
      await delay(Math.max(0, stoppedAt + 3_000 - performance.now()));
      stopped.kill('SIGCONT');
    }
    if (round === 5) await platform.redis.restart();
  }
  await submitting;
  await waitFor(async () => (await progress()) === total, { what: 'all jobs', timeoutMs: 120_000 });

  const counts = await platform.database.query('SELECT status, count(*)::int AS count FROM jobs.ended GROUP BY status');
  expect(counts).toEqual([{ status: 'COMPLETED', count: total }]);
  const written = await platform.database.query(
    `SELECT count(*)::int AS records, count(DISTINCT payload ->> 'entityName')::int AS files FROM outbox.events
     WHERE topic = 'audit-event' AND payload ->> 'auditCode' = 'AUD0041A' AND payload::text LIKE '%/outbox/chaos-%'`,
  );
  expect(written).toEqual([{ records: total, files: total }]);
  expect(await platform.database.query('SELECT FROM jobs.active')).toEqual([]);
  const history = await platform.database.query(
    'SELECT job_id, from_status, to_status, transition FROM jobs.history ORDER BY id',
  );
  for (const { from_status: from, to_status: to, transition } of history) {
    if (transition === 'submit') continue;
    const name = transition as keyof typeof transitionTable;
    expect(canMove(from as 'SUBMITTED', name), `${String(from)} ${name}`).toBe(true);
    expect(to).toBe(transitionTable[name].to);
  }
}, 300_000);
