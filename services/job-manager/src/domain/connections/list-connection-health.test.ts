import { clientConnectionSchema } from '@waybill/contracts/configuration/connections/client-connection';
import { expect, it } from 'vitest';
import { createListConnectionHealth, type WorkerConnection } from './list-connection-health.ts';

const owned = (owner: string, name: string) => ({
  owner,
  ownerId: owner === '' ? null : owner,
  connection: clientConnectionSchema.parse({ name, type: 'http', url: 'https://api.example.org' }),
});
const configured = [owned('', 'common'), owned('acme', 'of-acme'), owned('globex', 'of-globex')];
const early = new Date('2026-03-02T08:00:00Z');
const late = new Date('2026-03-02T09:00:00Z');
const failure = (at: Date) => ({ at, code: 'connection_failed', message: 'no answer' });

function list(reported: readonly Partial<WorkerConnection>[], actors?: readonly string[]) {
  const idle = { name: 'common', worker: 'w', reportedAt: late, inUse: 0, idle: 0, waiting: 0, isOpen: false };
  const complete = reported.map((one) => ({ ...idle, ...one }));
  const directory = { listClientConnections: () => Promise.resolve(configured) };
  return createListConnectionHealth(directory, { read: () => Promise.resolve(complete) })(actors);
}

it.each([
  ['Unused', []],
  ['Unused', [{ waiting: 1 }]],
  ['Working', [{ lastSuccessAt: late, lastFailure: failure(early) }]],
  ['Failing', [{ lastSuccessAt: early, lastFailure: failure(late) }]],
  ['Failing', [{ worker: 'a', lastSuccessAt: early }, { lastFailure: failure(late) }]],
  [
    'Suspended',
    [
      { worker: 'a', lastSuccessAt: late },
      { isOpen: true, lastFailure: failure(early) },
    ],
  ],
])('is %s after what workers have reported', async (state, reported) => {
  const [common] = await list(reported);
  expect([common?.connection.name, common?.state]).toEqual(['common', state]);
});

it('shows a role that is limited to actors only what is theirs', async () => {
  const names = async (actors?: readonly string[]) => (await list([], actors)).map(({ connection }) => connection.name);
  expect(await names()).toEqual(['common', 'of-acme', 'of-globex']);
  expect(await names(['globex'])).toEqual(['of-globex']);
  expect(await names([])).toEqual([]);
});

it('lists the workers by name, and leaves out connections that the configuration no longer has', async () => {
  const [common, ...others] = await list([{ worker: 'b' }, { worker: 'a' }, { name: 'removed' }]);
  expect(common?.workers.map(({ worker }) => worker)).toEqual(['a', 'b']);
  expect(others.flatMap(({ workers }) => workers)).toEqual([]);
});
