import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import { openDirectory } from '@waybill/directory/open-directory';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, expect, test } from 'vitest';
import { failureOf, requests } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';
import { begin } from './tus-requests.ts';

const site = onePeer({ users: ['acme'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/mine.txt', { multipart: formOf('x') });
  await site.acme.put('/2.0/folders/inbox/folder');
  await site.rig.plant('acme-files', '/private/hidden.txt', 'hidden');
  await site.rig.plant('acme-files', '/drop/dropped.txt', 'dropped');
  await site.rig.plant('acme-files', '/sealed.txt', 'sealed');
});

const move = (from: string, to: string, overwrite = false) =>
  site.acme.post('/2.0/move', { json: { from, to, overwrite } });
const putOf = (path: string, body: string, headers: Record<string, string> = {}) =>
  site.acme.put(`/2.0/files/${path}`, { body, headers: { 'content-type': 'text/plain', ...headers } });
const describeIt = (path: string, headers: Record<string, string> = {}) =>
  site.acme.post(`/2.0/metadata/${path}`, { json: { A: '1' }, headers });
const putIf = (path: string, headers: Record<string, string>) => putOf(path, 'x', headers);

// `private` can neither be listed nor written to, `drop` can only be written to.
test.each<[string, (path: string) => Promise<HttpResponse>, string, string, string]>([
  ['a resumable upload', (path) => begin(site.acme, { path }, 1), 'private/hidden.txt', 'private/no', 'write'],
  ['a resumable upload', (path) => begin(site.acme, { path }, 1), 'private/secret/x', 'private/no/x', 'write'],
  [
    'a resumable upload that must not overwrite',
    (path) => begin(site.acme, { path, overwrite: 'false' }, 1),
    'drop/dropped.txt',
    'drop/no',
    'list',
  ],
  [
    'an upload that must be new',
    (path) => putIf(path, { 'if-none-match': '*' }),
    'drop/dropped.txt',
    'drop/no',
    'list',
  ],
  [
    'an upload that must replace a file',
    (path) => putIf(path, { 'if-match': '*' }),
    'drop/dropped.txt',
    'drop/no',
    'list',
  ],
  ['metadata of it', (path) => describeIt(path), 'private/hidden.txt', 'private/no', 'write'],
  ['metadata of an element below it', (path) => describeIt(path), 'private/secret/x', 'private/no/x', 'write'],
  [
    'metadata with a precondition',
    (path) => describeIt(path, { 'if-match': '*' }),
    'drop/dropped.txt',
    'drop/no',
    'list',
  ],
  ['a new folder', (path) => site.acme.put(`/2.0/folders/${path}`), 'private/secret', 'private/no', 'create folder'],
  [
    'a new folder',
    (path) => site.acme.put(`/2.0/folders/${path}`),
    'private/secret/x',
    'private/no/x',
    'create folder',
  ],
  ['deleting a folder', (path) => site.acme.delete(`/2.0/folders/${path}`), 'private/secret', 'private/no', 'delete'],
  [
    'deleting a tree',
    (path) => site.acme.delete(`/2.0/folders/${path}?recursive=true`),
    'private/secret',
    'private/no',
    'delete',
  ],
  ['a move of it', (path) => move(path, 'inbox/x'), 'private/hidden.txt', 'private/no', 'rename'],
  ['a move of a folder', (path) => move(path, 'inbox/x'), 'private/secret', 'private/no', 'rename'],
  ['a move to it', (path) => move('inbox/mine.txt', path), 'private/hidden.txt', 'private/no', 'write'],
  [
    'a move that must replace it',
    (path) => move('inbox/mine.txt', path, true),
    'private/hidden.txt',
    'private/no',
    'write',
  ],
  ['a move below it', (path) => move('inbox/mine.txt', path), 'private/secret/x', 'private/no/x', 'write'],
  ['a move of a folder to it', (path) => move('inbox/folder', path), 'private/secret', 'private/no', 'create folder'],
  [
    'a move to a place without the list permission',
    (path) => move('inbox/mine.txt', path),
    'drop/dropped.txt',
    'drop/no',
    'list',
  ],
  ['an archive of it', (path) => site.acme.get(`/2.0/archive/${path}`), 'private/secret', 'private/no', 'list'],
  ['an archive of a file', (path) => site.acme.get(`/2.0/archive/${path}`), 'private/hidden.txt', 'private/no', 'list'],
  ['an archive with it', (path) => site.acme.get(`/2.0/archive/drop?name=${path}`), 'dropped.txt', 'no', 'list'],
])(
  '%s gets the same response for an existing and a missing element',
  async (_what, ask, there, missing, permission) => {
    for (const path of [there, missing]) {
      expect(failureOf(await ask(path))).toEqual([403, 'authorization', `No ${permission} permission`]);
    }
  },
);

// `private` is a folder, `sealed.txt` a file and `ghost` is not there; rules hide all of them in a folder that may be listed.
test.each<[string, (path: string) => Promise<HttpResponse>, string]>([
  ['an upload', (path) => requests.D2(site.acme, path), 'write'],
  ['an upload with a form', (path) => requests.D3(site.acme, path), 'write'],
  ['a resumable upload', (path) => begin(site.acme, { path: path.slice(1) }, 1), 'write'],
  ['a download', (path) => requests.D4(site.acme, path), 'read'],
  ['deleting it', (path) => requests.D5(site.acme, path), 'delete'],
  ['deleting a folder', (path) => site.acme.delete(`/2.0/folders${path}`), 'delete'],
  ['setting metadata', (path) => requests.D6(site.acme, path), 'write'],
  ['reading metadata', (path) => requests.D7(site.acme, path), 'read'],
  ['a count', (path) => requests.D8(site.acme, path), 'list'],
  ['a listing', (path) => requests.D9(site.acme, path), 'list'],
  ['an archive', (path) => site.acme.get(`/2.0/archive${path}`), 'list'],
  ['a new folder', (path) => site.acme.put(`/2.0/folders${path}`), 'create folder'],
])('%s gets the same response for a hidden folder, a hidden file and nothing', async (_what, ask, permission) => {
  for (const path of ['/private', '/sealed.txt', '/ghost', '/private/x', '/sealed.txt/x', '/ghost/x', '/ghost/x/y']) {
    expect([path, ...failureOf(await ask(path))]).toEqual([path, 403, 'authorization', `No ${permission} permission`]);
  }
});

test('an archive with a hidden name gets the same response, whatever it is', async () => {
  for (const name of ['private', 'sealed.txt', 'ghost']) {
    expect(failureOf(await site.acme.get('/2.0/archive', { query: { name } }))).toEqual([
      403,
      'authorization',
      'No list permission',
    ]);
  }
});

test('names without any permission are on no page and in no count, as over SFTP', async () => {
  const list = async (query: Record<string, string>) => {
    const answer = await site.acme.get('/2.0/directories/', { query });
    const { totalCount, files } = answer.json() as { totalCount: string; files: { filename: string }[] };
    return [totalCount, files.map(({ filename }) => filename)];
  };
  const count = async (query: Record<string, string>) =>
    (await site.acme.get('/2.0/countelements/', { query })).json() as number;
  expect(await list({})).toEqual(['3', ['drop', 'inbox', 'outbox']]);
  expect(await list({ direction: 'DESC', sort: 'size' })).toEqual(['3', ['outbox', 'inbox', 'drop']]);
  expect(await list({ start: '2', limit: '1' })).toEqual(['3', ['outbox']]);
  expect(await list({ filter: 'p*' })).toEqual(['0', []]);
  expect(await list({ filter: '*o*', type: 'folders' })).toEqual(['3', ['drop', 'inbox', 'outbox']]);
  expect([await count({}), await count({ filter: 'priv*' }), await count({ type: 'files' })]).toEqual([3, 0, 0]);
});

test('a receipt and a resumable upload of another user are as unknown as missing ones', async () => {
  const globex = await site.peer.logIn('globex');
  const stored = await globex.put('/2.0/files/data/x', { multipart: formOf('x') });
  const begun = await begin(globex, { path: 'data/y' }, 5);
  const headers = { 'tus-resumable': '1.0.0' };
  const [fileset = ''] = [stored.headers.get('x-fileset') ?? undefined];
  for (const number of [fileset, '999999999']) {
    expect(failureOf(await site.acme.get(`/2.0/receipts/${number}`))).toEqual([404, 'io', 'There is no such receipt']);
  }
  for (const path of [begun.path, '/2.0/uploads/4be0643f-1d98-573b-97cd-ca98a65347dd', '/2.0/uploads/none']) {
    expect(failureOf(await site.acme.delete(path, { headers }))).toEqual([404, 'io', 'There is no such upload']);
  }
});

test.each([
  ['bytes', { bytes: 20 }],
  ['files', { files: 3 }],
])('a limit of %s discloses nothing that must not be listed', async (_what, limits) => {
  const vfs = await openDirectory({ db: site.rig.db }).findVfsByName('acme-files');
  const limit = (most: VfsLimits | undefined) =>
    site.rig.db.transaction((trx) => setLimits(trx, { vfsId: vfs?.id ?? '', name: 'acme-files', limits: most }));
  await limit(limits);
  try {
    for (const path of ['drop/dropped.txt', 'drop/no.txt']) {
      const answers = [await begin(site.acme, { path }, 20), await putOf(path, 'x'.repeat(20))];
      expect(answers.map(({ status }) => status)).toEqual([507, 507]);
    }
  } finally {
    await limit(undefined);
  }
});
