import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { openDirectory } from '@waybill/directory/open-directory';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import { createSubmitJob } from '../src/domain/jobs/submit-job.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';
import { applyWorkflow } from './submit-workflow.ts';
import { testProcesses } from './test-managers.ts';

let platform: TestPlatform;
const processes = testProcesses();

beforeEach(async () => {
  platform = await startTestPlatform();
});
afterEach(() => platform?.[Symbol.asyncDispose]());

const count = async (sql: string, ...values: unknown[]) =>
  Number((await platform.database.query(`SELECT count(*) AS n ${sql}`, values))[0]?.['n']);

/** Submits as the HTTP interface does, without one. */
async function submit(actionVariables: Readonly<Record<string, unknown>>): Promise<number> {
  const register = createKnexJobRegister(platform.db, { site: testSite });
  const submitJob = createSubmitJob({ directory: openDirectory({ db: platform.db }), register });
  const userName = userNameSchema.parse('admin');
  const { job } = await submitJob({ userName, contractName: 'tested', actionName: 'run', actionVariables });
  return job.id;
}

it('goes on with the items that are left after kill -9 in the middle, and each takes effect once', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `file-${index}`);
  const content = randomBytes(4 * 1024 * 1024);
  for (const name of names) await platform.deliver(`/inbox/${name}`, content);
  const compress = {
    name: 'compress',
    uses: 'gzip',
    foreach: { in: 'variables.names', parallelism: 2 },
    with: { source: '/inbox/${{ item }}', target: '/outbox/${{ item }}.gz' },
  };
  await applyWorkflow(platform, { steps: [compress] });
  const victim = processes.start(platform, { NODE_NAME: 'victim' });
  const id = await submit({ names });
  const completed = 'FROM jobs.steps WHERE job_id = $1 AND position > 999 AND status = $2';
  await waitFor(async () => (await count(completed, id, 'COMPLETED')) >= 5, { what: 'some items to be completed' });
  victim.kill('SIGKILL');
  await once(victim, 'exit');
  const before = await platform.database.query(`SELECT position ${completed}`, [id, 'COMPLETED']);
  expect(before.length).toBeLessThan(names.length);

  processes.start(platform, { NODE_NAME: 'heir' });
  await waitFor(async () => (await count('FROM jobs.ended WHERE job_id = $1 AND status = $2', id, 'COMPLETED')) === 1, {
    what: 'the job to be completed',
    timeoutMs: 120_000,
  });
  const positions = before.map(({ position }) => position);
  const again = 'FROM jobs.steps WHERE job_id = $1 AND position = ANY ($2) AND attempts > 1';
  expect(await count(again, id, positions)).toBe(0);
  expect(await count(completed, id, 'COMPLETED')).toBe(names.length);
  for (const name of names) {
    expect(gunzipSync((await platform.read(`/outbox/${name}.gz`)) ?? '').equals(content)).toBe(true);
    const delivered = `FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'auditMessage' LIKE $1`;
    expect(await count(delivered, `%/outbox/${name}.gz%`)).toBe(1);
  }
});
