import { createHash, randomBytes } from 'node:crypto';
import { pathParameter } from '@waybill/contracts/tasks/task-specification';
import { existing } from '@waybill/test-kit/values/existing';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTask } from '../src/tasks/define-task.ts';
import { taskTable } from '../src/tasks/task-table.ts';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

/** `gzip`, replaced by a task whose computation does what its target says. */
const computing = defineTask({
  summary: '',
  parameters: z.strictObject({ source: pathParameter, target: z.string() }),
  outputs: z.object({}),
  run: async ({ source, target }, { files, compute, signal }) => {
    await using file = await files.open(source);
    const program = new URL('test-computation.ts', import.meta.url);
    return { ...(await compute({ program, parameters: { does: target }, input: file.content() }, signal)) };
  },
});

let platform: TestPlatform;
let manager: TestJobManager;

beforeEach(async () => {
  platform = await startTestPlatform();
  const settings = { JOB_LEASE_SECONDS: '1', JOB_GRACE_SECONDS: '60' };
  manager = await startTestJobManager(platform, settings, { ...taskTable, gzip: computing });
  await platform.apply({
    ...testConfiguration,
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      workflow('compute', {
        name: 'only',
        uses: 'gzip',
        with: { source: '/inbox/a', target: '${{ variables.does }}' },
      }),
      workflow('sum', { name: 'only', uses: 'checksum', with: { source: '/inbox/a' } }),
    ],
    actors: testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: [
        ...actor.contracts,
        {
          name: 'computing',
          type: 'Mediation',
          actions: ['compute', 'sum'].map((name) => ({
            name,
            trigger: { type: 'OnDemand' },
            vfs: 'acme-files',
            workflow: name,
          })),
        },
      ],
    })),
  });
});
afterEach(async () => {
  await manager[Symbol.asyncDispose]();
  await platform[Symbol.asyncDispose]();
});

function workflow(name: string, step: object) {
  return { name, description: '', steps: [step] };
}

const submit = async (actionName: string, does = ''): Promise<number> => {
  const submission = { contractName: 'computing', actionName, actionVariables: { does } };
  return ((await manager.submit(submission)).json() as ShownJob).id;
};

const leaseOf = async (id: number): Promise<number> => {
  const [row] = await platform.database.query('SELECT due_at FROM jobs.active WHERE job_id = $1', [id]);
  return new Date(String(row?.['due_at'])).getTime();
};

describe('the task checksum', () => {
  it('puts the checksum of the file into its outputs', async () => {
    const content = randomBytes(3_000_000);
    await platform.deliver('/inbox/a', content);
    const job = await manager.reaches(await submit('sum'), 'COMPLETED', 60_000);
    expect(job.steps?.[0]?.outputs).toEqual({
      path: '/inbox/a',
      size: '3000000',
      algorithm: 'sha256',
      checksum: createHash('sha256').update(content).digest('hex'),
      verified: 'false',
    });
  });
});

describe('a step that computes endlessly', () => {
  it('costs its worker no lease, and an abort ends it long before the grace', async () => {
    await platform.deliver('/inbox/a', Buffer.from('abc'));
    const id = await submit('compute', 'compute endlessly');
    await waitFor(async () => (await manager.running()) === 1, { what: 'the step to run' });
    const first = await leaseOf(id);
    // Several leases later, it is the same attempt of the same worker.
    await waitFor(async () => (await leaseOf(id)) > first + 3_000, { what: 'the lease to be renewed' });
    expect((await manager.job(id)).steps?.[0]?.attempts).toBe(1);
    await manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: manager.admin });
    await waitFor(async () => (await manager.running()) === 0, { what: 'the step to end', timeoutMs: 30_000 });
    await manager.reaches(await submit('compute', 'count'), 'COMPLETED', 60_000);
  });
});

describe('a step whose thread dies', () => {
  it('ends its job with a message that says so, and no other one', async () => {
    await platform.deliver('/inbox/a', Buffer.from('abc'));
    const ids = await Promise.all(['count', 'break its thread', 'count'].map((does) => submit('compute', does)));
    const [before, broken, after] = ids;
    const job = await manager.reaches(existing(broken), 'ERROR', 60_000);
    expect(job.statusMessage).toBe("Step 'only' failed: the computation failed: its thread died: the thread breaks");
    for (const id of [existing(before), existing(after)]) {
      expect((await manager.reaches(id, 'COMPLETED', 60_000)).steps?.[0]?.attempts).toBe(1);
    }
  });
});
