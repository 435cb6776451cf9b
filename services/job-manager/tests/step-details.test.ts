import { randomBytes } from 'node:crypto';
import { firstOf } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const submit = async (actionName: string, actionVariables = {}): Promise<number> =>
  ((await site.manager.submit({ contractName: 'invoices', actionName, actionVariables })).json() as ShownJob).id;
const storedSteps = async (id: number): Promise<string> =>
  JSON.stringify(await site.platform.database.query('SELECT * FROM jobs.steps WHERE job_id = $1', [id]));

it('shows of each step when it ran, its evaluated parameters and what its task said', async () => {
  const submittedAt = Date.now();
  const id = await submit('write-report', { name: 'shown', text: 'all is well' });
  const { steps = [] } = await site.manager.reaches(id, 'COMPLETED');
  expect(steps).toHaveLength(1);
  const step = firstOf(steps);
  expect(step).toMatchObject({
    name: 'write',
    task: 'write-file',
    status: 'COMPLETED',
    attempts: 1,
    inputs: { path: '/outbox/shown.txt', text: 'all is well' },
    error: '',
    log: [{ attempt: 1, message: 'Wrote 11 bytes into /outbox/shown.txt', at: expect.any(String) }],
  });
  const [begun, ended] = [Date.parse(step.begunAt ?? ''), Date.parse(step.endedAt ?? '')];
  expect(begun).toBeGreaterThanOrEqual(submittedAt - 1_000);
  expect(step.durationMs).toBe(ended - begun);
});

it('has the lines of every attempt, each with its number, and the times of the last', async () => {
  await site.platform.deliver('/inbox/broken.csv', Buffer.from('x'));
  const id = await submit('write-then-compress', { source: '/inbox/nothing-here' });
  const failed = await site.manager.reaches(id, 'ERROR');
  const step = failed.steps?.[1];
  expect(step).toMatchObject({ status: 'ERROR', attempts: 2 });
  expect(step?.inputs).toEqual({ source: '/inbox/nothing-here', target: `/outbox/${id}.txt.gz` });
  expect(step?.log.map(({ attempt, message }) => [attempt, message])).toEqual([
    [1, step?.error],
    [2, step?.error],
  ]);
  expect(step?.durationMs).toBeTypeOf('number');
});

it('never stores or shows the value of a secret variable, wherever it occurs', async () => {
  const secret = 'hunter-2-with-"quotes"';
  const id = await submit('write-report', { name: 'guarded', text: `it is ${secret}!`, password: secret });
  const done = await site.manager.reaches(id, 'COMPLETED');
  expect(done.steps?.[0]?.inputs['text']).toBe('it is ******!');
  expect((await site.platform.read('/outbox/guarded.txt'))?.toString()).toBe(`it is ${secret}!`);
  const path = await submit('write-report', { folder: `/absent/${secret}`, text: '', token: secret });
  const failed = await site.manager.reaches(path, 'ERROR');
  for (const job of [done, failed]) {
    expect(JSON.stringify(job)).not.toContain('hunter');
    expect(await storedSteps(job.id)).not.toContain('hunter');
  }
  const history = await site.platform.database.query('SELECT message FROM jobs.history WHERE job_id = $1', [path]);
  expect(JSON.stringify(history)).not.toContain('hunter');
});

it('masks a secret in the outputs that it shows, and keeps them for the later steps', async () => {
  const id = await submit('write-report', { name: 'my-hunter-2', text: '', apiKey: 'my-hunter-2' });
  const { steps } = await site.manager.reaches(id, 'COMPLETED');
  expect(steps?.[0]?.outputs['path']).toBe('/outbox/******.txt');
  expect(await site.platform.read('/outbox/my-hunter-2.txt')).toBeDefined();
});

it('shows a step while it runs, without an end; and as aborted when its job was', async () => {
  await site.platform.deliver('/inbox/long-details', randomBytes(96 * 1024 * 1024));
  const id = await submit('write-then-compress', { source: '/inbox/long-details' });
  const running = await waitFor(
    async () => {
      const step = (await site.manager.job(id)).steps?.[1];
      return step?.status === 'RUNNING' ? step : undefined;
    },
    { what: 'the long step' },
  );
  expect(running).toMatchObject({ attempts: 1, inputs: { source: '/inbox/long-details' }, log: [] });
  expect(running.begunAt).toBeTypeOf('string');
  expect(running).not.toHaveProperty('endedAt');
  await site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin });
  expect((await site.manager.job(id)).steps?.[1]).toMatchObject({ status: 'ABORTED', endedAt: expect.any(String) });
});
