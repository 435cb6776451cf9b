import { openDirectory } from '@waybill/directory/open-directory';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

const spaceAt = async (path: string) => (await site.acme.get(`/2.0/space${path}`)).json();

test('tells the room of the file system at a path, whether something is there or not', async () => {
  const vfs = await openDirectory({ db: site.rig.db }).findVfsByName('acme-files');
  const limits = { bytes: 1_000, files: 10 };
  await site.rig.db.transaction((trx) => setLimits(trx, { vfsId: vfs?.id ?? '', name: 'acme-files', limits }));
  await site.acme.put('/2.0/files/inbox/a.txt', { body: 'abcd', headers: { 'Content-Type': 'text/plain' } });
  for (const path of ['/inbox', '/inbox/a.txt', '/inbox/nothing.txt']) {
    expect(await spaceAt(path)).toEqual({
      path,
      bytes: { total: 1_000, free: 996 },
      entries: { total: 10, free: 9 },
      retention: {},
    });
  }
});

test('does not tell what is free where the user may not list', async () => {
  expect(await spaceAt('/drop')).toEqual({
    path: '/drop',
    bytes: { total: 1_000 },
    entries: { total: 10 },
    retention: {},
  });
});

test('refuses those who may do nothing there', async () => {
  const answer = await site.acme.get('/2.0/space/private');
  expect([answer.status, failureOf(answer)[1]]).toEqual([403, 'authorization']);
});
