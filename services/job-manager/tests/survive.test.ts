import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { testProcesses } from './test-managers.ts';

let platform: TestPlatform;
const processes = testProcesses();

beforeEach(async () => {
  platform = await startTestPlatform();
});

afterEach(async () => {
  await platform?.[Symbol.asyncDispose]();
});

const spawnJobManager = (nodeName: string) => processes.start(platform, { NODE_NAME: nodeName });

/** Submits as the HTTP interface does, without one. */
async function submit(actionName: string, actionVariables = {}): Promise<number> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const submitJob = createSubmitJob({ directory: openDirectory({ db: platform.db }), register });
  const { job } = await submitJob({
    userName: userNameSchema.parse('admin'),
    contractName: 'invoices',
    actionName,
    actionVariables,
  });
  return job.id;
}

const row = async (sql: string, ...values: unknown[]) => (await platform.database.query(sql, values))[0];
const reaches = (id: number, status: string) =>
  waitFor(
    async () =>
      (
        await row(
          `SELECT coalesce(active.status, ended.status) AS status FROM jobs.jobs LEFT JOIN jobs.active ON active.job_id = id
     LEFT JOIN jobs.ended ON ended.job_id = id WHERE id = $1`,
          id,
        )
      )?.['status'] === status,
    {
      what: `job ${id} to be ${status}`,
    },
  );
const lease = '2 seconds';

describe('what was accepted', () => {
  it('is continued by another worker seconds after kill -9 in the middle of a step, and takes effect once', async () => {
    const content = randomBytes(96 * 1024 * 1024);
    await platform.deliver('/inbox/big', content);
    const victim = spawnJobManager('victim');
    const id = await submit('write-then-compress', { source: '/inbox/big' });
    await waitFor(
      async () => await row(`SELECT FROM jobs.steps WHERE job_id = $1 AND position = 1 AND status = 'RUNNING'`, id),
      { what: 'the step to be under way' },
    );
    victim.kill('SIGKILL');
    await once(victim, 'exit');
    // By the clock of the database, seconds from now anybody may take it over.
    const abandoned = 'SELECT status, fence, due_at - now() < $2 AS soon, due_at FROM jobs.active WHERE job_id = $1';
    const left = await row(abandoned, id, lease);
    expect(left).toMatchObject({ status: 'RUNNING', soon: true });

    const heir = spawnJobManager('heir');
    await waitFor(async () => (await row('SELECT now() > $1 AS over', left?.['due_at']))?.['over'], {
      what: 'the lease to end',
    });
    // Whatever time it takes: not later than a job that was submitted afterwards.
    const later = await submit('write-report', { name: 'later' });
    await waitFor(
      async () => !(await row(`SELECT FROM jobs.active WHERE job_id = $1 AND status = 'SUBMITTED'`, later)),
      {
        what: 'the later job to be claimed',
      },
    );
    expect((await row('SELECT fence FROM jobs.active WHERE job_id = $1', id))?.['fence']).not.toBe(left?.['fence']);
    await reaches(id, 'COMPLETED');
    expect(gunzipSync((await platform.read(`/outbox/${id}.txt.gz`)) ?? '').equals(content)).toBe(true);
    const steps = await platform.database.query(
      'SELECT position, attempts, losses FROM jobs.steps WHERE job_id = $1 ORDER BY position',
      [id],
    );
    expect(steps).toEqual([
      { position: 0, attempts: 1, losses: 0 },
      { position: 1, attempts: 2, losses: 1 },
    ]);
    const delivered = await row(
      `SELECT count(*)::int AS n FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'auditMessage' LIKE $1`,
      `%/outbox/${id}.txt.gz%`,
    );
    expect(delivered).toEqual({ n: 1 });
    heir.kill('SIGTERM');
    expect((await once(heir, 'exit'))[0]).toBe(0);
  });

  it('is released at a stop and continued at the next start, without counting as a failure', async () => {
    await platform.deliver('/inbox/big', randomBytes(96 * 1024 * 1024));
    const first = spawnJobManager('first');
    const id = await submit('write-then-compress', { source: '/inbox/big' });
    await waitFor(
      async () => await row(`SELECT FROM jobs.steps WHERE job_id = $1 AND position = 1 AND status = 'RUNNING'`, id),
      { what: 'the step to be under way' },
    );
    first.kill('SIGTERM');
    expect((await once(first, 'exit'))[0]).toBe(0);
    expect(await row('SELECT status, ready, fence FROM jobs.active WHERE job_id = $1', id)).toEqual({
      status: 'RUNNING',
      ready: true,
      fence: null,
    });
    spawnJobManager('second');
    await reaches(id, 'COMPLETED');
    expect(await row('SELECT failures, losses FROM jobs.steps WHERE job_id = $1 AND position = 1', id)).toEqual({
      failures: 0,
      losses: 0,
    });
  });

  it('survives FLUSHALL of Redis between the submission and the run', async () => {
    const first = await submit('write-report', { name: 'before-start' });
    await platform.redis.flush();
    await using manager = await startTestJobManager(platform);
    await manager.reaches(first, 'COMPLETED');
    const ids: number[] = [];
    for (let index = 0; index < 20; index += 1) {
      ids.push(await submit('write-report', { name: `report-${index}` }));
      if (index % 5 === 0) await platform.redis.flush();
    }
    for (const id of ids) await manager.reaches(id, 'COMPLETED');
    for (let index = 0; index < 20; index += 1) {
      expect(await platform.read(`/outbox/report-${index}.txt`)).toBeDefined();
    }
  });

  it('runs without Redis', async () => {
    await using manager = await startTestJobManager(platform);
    await platform.redis.kill();
    const id = await submit('write-report', { name: 'without-redis' });
    await manager.reaches(id, 'COMPLETED');
    expect(await platform.read('/outbox/without-redis.txt')).toBeDefined();
    await platform.redis.restart();
  });
});
