import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { oneConfiguredManager, team, variables } from './configuration-requests.ts';

const { site, post, planOf, applied } = oneConfiguredManager();
let folder: TestFolder;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder?.remove());

const connectionContracts = [
  { name: 'sftp', cluster: 'cluster1', server: 'sftp-server', clauses: [{ user: 'tom', vfs: 'umbrella-files' }] },
];
const expectations = ['tom may upload /inbox/**', 'tom may list /'];
const tested = (more: object = {}) => ({
  ...team({ connectionContracts, ...more }),
  accessTests: [{ name: 'tom-uploads', expect: expectations }],
});
const others = { source: 'others', actors: [{ name: 'hooli', type: 'Partner' }] };
const disabled = (source: string, why: string) =>
  `Access Test tom-uploads of ${source}: expected: tom may upload /inbox/**; but ${why}`;
const force = async (...args: readonly string[]) => {
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  const given = ['force', 'users', 'tom', '--reason', 'key stolen', '--patch', '{"enabled":false}', ...args];
  return await runWaybill([...given, '--url', site.manager.url, '--token', token], {});
};
const drift = async () => {
  const { sources } = (await site.manager.client
    .get('/platform-application/api/v1/configuration/drift', {
      bearer: site.manager.admin,
    })
    .then((response) => response.json())) as { sources: { source: string; objects: Record<string, unknown>[] }[] };
  return sources.flatMap(({ source, objects }) =>
    objects.map(({ entityType, name, cause, reason }) => [source, entityType, name, cause, reason]),
  );
};

beforeEach(async () => {
  await applied(await planOf(tested(), { variables }));
});

it('is not stopped by access tests: they are named, are drift, and stop no other source', async () => {
  const why = 'user tom is disabled';
  const previewed = await force('--dry-run');
  expect([previewed.code, previewed.out]).toEqual([
    0,
    expect.stringContaining(`! ${disabled('the source team', why)}\n`),
  ]);
  expect(await drift()).toEqual([]);
  const forced = await force();
  expect([forced.code, forced.out]).toEqual([
    0,
    `! ${disabled('the source team', why)}\n! ${disabled('the source team', why).replace('upload /inbox/**', 'list /')}\n` +
      'tom is changed: `waybill drift` shows it until its source applies.\n',
  ]);
  expect(await drift()).toEqual([
    ['team', 'Access Test', 'tom-uploads', 'forced', expect.stringMatching(/^key stolen: expected: tom may /u)],
    ['team', 'External User', 'tom', 'forced', 'key stolen'],
  ]);
  await applied(await planOf(others));
  const patched = await site.manager.client.request('PATCH', '/platform-application/api/v1/actors/hooli', {
    bearer: site.manager.admin,
    json: {},
  });
  expect(patched.status).toBe(409);

  // The source itself has to put the test right, or the access.
  const users = [{ name: 'tom', password: '${TOM_PASSWORD}', groups: ['clerks'], enabled: false }];
  const kept = await post('plan', { document: JSON.stringify(tested({ users })), variables });
  expect([kept.status, kept.text]).toEqual([400, expect.stringContaining(why)]);
  await applied(await planOf(tested(), { variables }));
  expect(await drift()).toEqual([]);
  await applied(await planOf({ source: 'others' }));
});

it('answers without a body if every access test holds', async () => {
  const object = { collection: 'users', name: 'tom' };
  const forced = await post('force', { object, patch: { maxSessions: 2 }, reason: 'load' });
  expect([forced.status, forced.text]).toEqual([204, '']);
});

it('of an access test that it breaks itself is a warning, too', async () => {
  const object = { collection: 'access-tests', name: 'tom-uploads' };
  const patch = { expect: ['nobody-here may list /'] };
  const forced = await post('force', { object, patch, reason: 'x' });
  expect([forced.status, forced.json()]).toEqual([
    200,
    expect.objectContaining({ consequences: [expect.stringContaining('there is no user nobody-here')] }),
  ]);
});
