import { fileURLToPath } from 'node:url';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { testProcesses } from './test-managers.ts';

const olderWorker = fileURLToPath(new URL('older-worker.ts', import.meta.url));
const processes = testProcesses();
let platform: TestPlatform;
let manager: TestJobManager;

beforeEach(async () => {
  platform = await startTestPlatform();
  // Serves the interface and runs nothing.
  manager = await startTestJobManager(platform, { ROLE: 'api' });
});
afterEach(async () => {
  await manager[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

const startWorkers = (kind: 'older' | 'newer', role: 'worker' | 'all' = 'worker'): unknown =>
  processes.start(platform, { ROLE: role, NODE_NAME: kind }, kind === 'older' ? { program: olderWorker } : {});

const write = async (name: string): Promise<number> => {
  const submission = { contractName: 'invoices', actionName: 'write-report', actionVariables: { name } };
  return ((await manager.submit(submission)).json() as ShownJob).id;
};

const isLeft = (id: number): Promise<ShownJob> =>
  waitFor(
    async () => {
      const job = await manager.job(id);
      return job.statusMessage.startsWith('Waiting for a newer worker') ? job : undefined;
    },
    { what: `job ${id} to be left` },
  );

/** What every claim and every hand-back changes. */
const rowOf = async (id: number) =>
  (
    await platform.database.query(`SELECT since, ready, due_at, fence, needs FROM jobs.active WHERE job_id = $1`, [id])
  )[0];

describe('a worker that is older than a job', () => {
  it('leaves it to a newer one, which runs it as if it was the first, and runs what it knows', async () => {
    startWorkers('older');
    const id = await write('left');
    expect((await isLeft(id)).statusMessage).toBe(
      'Waiting for a newer worker: those that run do not understand task write-file',
    );
    expect((await isLeft(id)).waitingFor).toEqual({
      kind: 'newerWorker',
      message: 'Waiting for a newer worker: those that run do not understand task write-file',
    });
    const before = await rowOf(id);
    expect(before).toMatchObject({ ready: false, due_at: null, fence: null, needs: ['task write-file'] });

    await platform.deliver('/inbox/known.csv', Buffer.from('a'));
    await waitFor(() => platform.read('/outbox/known.csv.gz'), { what: 'a job of a task that it knows' });
    // The older worker has claimed meanwhile, and not this job.
    expect(await rowOf(id)).toEqual(before);

    startWorkers('newer');
    const done = await manager.reaches(id, 'COMPLETED', 60_000);
    expect(done.steps?.map(({ status, attempts, error }) => [status, attempts, error])).toEqual([['COMPLETED', 1, '']]);
    expect(done.history?.map(({ to }) => to)).toEqual(['SUBMITTED', 'RUNNING', 'COMPLETED']);
    expect(await platform.read('/outbox/left.txt')).toBeDefined();
  });

  it('runs none of its steps while a later one is unknown, and a job that waits can be aborted', async () => {
    await platform.deliver('/inbox/both.csv', Buffer.from('a'));
    const id = await write('steps');
    await platform.database.query(
      `UPDATE jobs.jobs SET steps = jsonb_build_array(jsonb_build_object('name', 'first', 'uses', 'gzip', 'with',
         jsonb_build_object('source', '/inbox/both.csv', 'target', '/outbox/both.gz'), 'retry', steps -> 0 -> 'retry',
         'timeoutSeconds', 60)) || steps WHERE id = $1`,
      [id],
    );
    startWorkers('older');
    await isLeft(id);
    expect((await manager.job(id)).steps?.map(({ attempts }) => attempts) ?? []).not.toContain(1);
    expect(await platform.read('/outbox/both.gz')).toBeUndefined();
    const { status } = await manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: manager.admin });
    expect(status).toBeLessThan(300);
    expect((await manager.job(id)).status).toBe('ABORTED');
  });

  it.each([
    ['a field that it does not know', `'{"unless": "$''{{ false }}"}'`, 'field unless'],
    ['a task that no worker has', `'{"uses": "send-telegram"}'`, 'task send-telegram'],
  ])('does not run a step with %s, and reports it as a metric', async (_what, change, need) => {
    const id = await write('fields');
    await platform.database.query(
      `UPDATE jobs.jobs SET steps = jsonb_set(steps, '{0}', (steps -> 0) || ${change}::jsonb) WHERE id = $1`,
      [id],
    );
    await using all = await startTestJobManager(platform, { ROLE: 'all', JOB_POLL_SECONDS: '0.05' });
    expect((await isLeft(id)).statusMessage).toContain(need);
    const before = await rowOf(id);
    expect((await all.client.get('/metrics')).text).toMatch(
      new RegExp(`^waybill_jobs_left\\{[^}]*needs="${need}"[^}]*\\} 1$`, 'mu'),
    );
    // Its duties have had time to find the job again.
    const next = await write('after');
    await manager.reaches(next, 'COMPLETED', 60_000);
    expect(await rowOf(id)).toEqual(before);
    expect(await platform.read('/outbox/fields.txt')).toBeUndefined();
  });

  it('tries a value that it cannot read again after a minute, and not before', async () => {
    const id = await write('values');
    await platform.database.query(
      `UPDATE jobs.jobs SET steps = jsonb_set(steps, '{0,timeoutSeconds}', '"PT1H"') WHERE id = $1`,
      [id],
    );
    startWorkers('newer');
    expect((await isLeft(id)).statusMessage).toContain('value of timeoutSeconds');
    const row = await rowOf(id);
    expect(row).toMatchObject({ ready: false, fence: null, needs: null });
    expect(new Date(String(row?.['due_at'])).getTime() - new Date(String(row?.['since'])).getTime()).toBe(60_000);
  });
});

describe('a running job', () => {
  it('keeps the revision that it was created with when its workflow changes before it runs', async () => {
    const id = await write('kept');
    const changed = testConfiguration.workflowTemplates.map((template) =>
      template.name === 'write-report'
        ? { ...template, steps: [{ name: 'other', uses: 'write-file', with: { path: '/outbox/other', text: 'new' } }] }
        : template,
    );
    await platform.apply({ ...testConfiguration, workflowTemplates: changed });
    startWorkers('newer');
    const old = await manager.reaches(id, 'COMPLETED', 60_000);
    expect(await platform.read('/outbox/kept.txt')).toBeDefined();
    expect(await platform.read('/outbox/other')).toBeUndefined();
    const fresh = await manager.reaches(await write('fresh'), 'COMPLETED', 60_000);
    expect(await platform.read('/outbox/other')).toBeDefined();
    const revisionOf = (job: ShownJob) => job.contractActionWorkflowInstance['workflowTemplateRevision'];
    expect([revisionOf(old), revisionOf(fresh)]).toEqual([1, 2]);
  });
});
