import { openDirectory } from '@waybill/directory/open-directory';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoPlatform } from './demo-platform.ts';
import { openTestPlatform, type TestPlatform } from './open-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await openTestPlatform();
});

afterAll(async () => {
  await platform.close();
});

const nightly = { type: 'Time', cron: '30 2 * * *', timeZone: 'Europe/Berlin', catchUp: 'all', jitterSeconds: 60 };

/** The demo with a contract of one Time action, and its queue closed by day. */
function timed({ enabled = true } = {}) {
  const demo = demoPlatform();
  const action = { name: 'nightly', trigger: nightly, vfs: 'acme-files', workflow: 'pack' };
  const contract = { name: 'reports', type: 'Output', enabled, queue: 'Slow', actions: [action] };
  const slots = [{ from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' }];
  const [acme, ...others] = demo.actors;
  return {
    ...demo,
    queues: [{ name: 'Slow', priority: 1, parallelism: 1, status: 'Scheduled', slots }],
    actors: [{ ...acme, contracts: [...(acme?.contracts ?? []), contract] }, ...others],
  };
}

it('Time actions of enabled contracts are found with their trigger, their VFS and everything that a job needs', async () => {
  await platform.apply(timed());
  const directory = openDirectory({ db: platform.db, cacheMs: 0 });
  expect(await directory.listTimeActions()).toEqual([
    { contractName: 'reports', actionName: 'nightly', schedule: nightly },
  ]);
  const vfs = await directory.findVfsByName('acme-files');
  expect(await directory.findAction('reports', 'nightly')).toMatchObject({
    trigger: 'Time',
    schedule: nightly,
    vfsId: vfs?.id,
    queue: 'Slow',
    workflow: { name: 'pack' },
  });
  expect(await directory.findAction('invoices', 'by-hand')).toMatchObject({ trigger: 'OnDemand', schedule: undefined });
  await platform.apply(timed({ enabled: false }));
  expect(await directory.listTimeActions()).toEqual([]);
});

it('a Scheduled queue is found with its slots', async () => {
  await platform.apply(timed());
  const directory = openDirectory({ db: platform.db, cacheMs: 0 });
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  expect(await directory.findQueue('Slow')).toMatchObject({
    status: 'Scheduled',
    slots: [{ days, from: '22:00', to: '06:00', timeZone: 'Europe/Berlin' }],
  });
  expect(await directory.findQueue('Default Queue')).toMatchObject({ status: 'Enabled', slots: [] });
  await platform.apply(demoPlatform());
  expect(await directory.findQueue('Slow')).toMatchObject({ status: 'Enabled', slots: [] });
});
