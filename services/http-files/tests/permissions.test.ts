import { expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

const permissionsAt = async (path: string) => (await site.acme.get(`/2.0/permissions${path}`)).json();

test('tells what may be done at a path, by the rules of its file system', async () => {
  const all = ['list', 'download', 'upload', 'delete', 'rename', 'createFolder'];
  expect(await permissionsAt('/inbox')).toEqual({ path: '/inbox', permissions: all });
  expect(await permissionsAt('/drop/new.txt')).toEqual({ path: '/drop/new.txt', permissions: ['upload'] });
});

test('does not depend on whether something is there', async () => {
  await site.rig.plant('acme-files', '/private/hidden.txt', 'hidden');
  for (const name of ['hidden.txt', 'nothing.txt', 'no/folder/either.txt']) {
    expect(await permissionsAt(`/private/${name}`)).toEqual({ path: `/private/${name}`, permissions: [] });
  }
});

test.each([
  ['/inbox/%00', 'request_syntax'],
  [`/inbox/${'x'.repeat(300)}`, 'request_syntax'],
])('refuses %s', async (path, type) => {
  const answer = await site.acme.get(`/2.0/permissions${path}`);
  expect([answer.status, failureOf(answer)[1]]).toEqual([400, type]);
});
