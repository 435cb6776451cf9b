import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const workflows = {
  'submit-note': [{ name: 'submit', uses: 'submit-job', with: { contract: '${{ job.contract }}', action: 'note' } }],
  'write-to-globex': [{ name: 'write', uses: 'write-file', with: { path: 'globex-files:/a.txt', text: 'a' } }],
  note: [{ name: 'note', uses: 'log', with: { message: 'a note' } }],
};
const grants = [{ vfs: 'globex-files', path: '/', rights: ['upload'] }];
const hooli = {
  name: 'hooli',
  type: 'Partner',
  virtualFileSystems: [{ name: 'hooli-files' }],
  contracts: [
    {
      name: 'hooli-jobs',
      type: 'Mediation',
      queue: 'Held',
      actions: Object.keys(workflows).map((name) => ({
        name,
        workflow: name,
        trigger: { type: 'OnDemand' },
        vfs: 'hooli-files',
        grants,
      })),
    },
  ],
};

const apply = (status: 'Enabled' | 'Disabled', actors: readonly object[]) =>
  site.platform.apply({
    ...testConfiguration,
    queues: [...(testConfiguration.queues ?? []), { name: 'Held', status }],
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(workflows).map(([name, steps]) => ({ name, steps })),
    ],
    actors: [
      ...testConfiguration.actors,
      { name: 'globex', type: 'Partner', virtualFileSystems: [{ name: 'globex-files' }] },
      ...actors,
    ],
  });

async function submit(actionName: string): Promise<number> {
  const response = await site.manager.submit({ contractName: 'hooli-jobs', actionName });
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return (response.json() as ShownJob).id;
}

let submitting: number;
let writing: number;

// Jobs wait while their actor is deleted, and another one gets its name and has a contract of the same name.
beforeAll(async () => {
  await apply('Disabled', [hooli]);
  submitting = await submit('submit-note');
  writing = await submit('write-to-globex');
  await apply('Disabled', []);
  await apply('Enabled', [hooli]);
});

describe('a job of an actor that was deleted, whose name another one has', () => {
  it('submits no job of the contract of the other one', async () => {
    const { statusMessage } = await site.manager.reaches(submitting, 'ERROR');
    expect(statusMessage).toContain('There is no enabled contract named hooli-jobs');
  });

  it('has no rights that the action of the other one grants', async () => {
    const { statusMessage } = await site.manager.reaches(writing, 'ERROR');
    expect(statusMessage).toContain('The action hooli-jobs/write-to-globex does not grant');
  });
});

it('a job of the other one does both', async () => {
  for (const action of ['submit-note', 'write-to-globex'])
    expect((await site.manager.reaches(await submit(action), 'COMPLETED')).status).toBe('COMPLETED');
});
