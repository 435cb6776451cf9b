import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex', 'hooli'] });

beforeAll(async () => {
  await site.rig.plant('acme-files', '/private/hidden.txt', 'x');
});

const make = (client: HttpClient, path: string) => client.put(`/2.0/folders${path}`);
const remove = (client: HttpClient, path: string) => client.delete(`/2.0/folders${path}`);
const put = (client: HttpClient, path: string) => client.put(`/2.0/files${path}`, { multipart: formOf(path) });
const move = (client: HttpClient, from: string, to: string, overwrite = false) =>
  client.post('/2.0/move', { json: { from, to, overwrite } });
const recorded = async () => (await site.rig.audited()).map(({ auditMessage }) => auditMessage);

describe('PUT /folders/<path>', () => {
  test('creates a folder: 201, and it is audited', async () => {
    const answer = await make(site.acme, '/inbox/new%20folder/');
    expect([answer.status, answer.json()]).toEqual([201, expect.objectContaining({ message: 'Folder created' })]);
    expect((await site.acme.get('/2.0/countelements/inbox/new%20folder')).text).toBe('0');
    expect(await recorded()).toContain('Server create folder /inbox/new folder');
  });

  test.each([
    ['an existing folder', '/inbox/sub', [409, 'io', 'There is already something of that name']],
    ['one in a missing folder', '/inbox/nope/x', [404, 'io', "Path '/inbox/nope' doesn't exist"]],
    ['one without the permission', '/outbox/x', [403, 'authorization', 'No create folder permission']],
    ['one without the list permission', '/private/nope/x', [403, 'authorization', 'No create folder permission']],
    ['the root', '/', [400, 'request_syntax', 'No filename specified']],
  ])('refuses %s', async (_what, path, failure) => {
    expect(failureOf(await make(site.acme, path))).toEqual(failure);
  });

  test('refuses one in place of a mount', async () => {
    expect((await make(site.hooli, '/own/shared')).status).toBe(409);
  });
});

describe('DELETE /folders/<path>', () => {
  test('deletes an empty folder, and refuses one that is not', async () => {
    await make(site.globex, '/data/full');
    await put(site.globex, '/data/full/a.txt');
    expect(failureOf(await remove(site.globex, '/data/full'))).toEqual([409, 'io', 'The folder is not empty']);
    await site.globex.delete('/2.0/files/data/full/a.txt');
    expect((await remove(site.globex, '/data/full')).status).toBe(200);
    expect((await site.globex.get('/2.0/directories/data/full')).status).toBe(404);
  });

  test('deletes a folder with its content on request, each entry audited', async () => {
    for (const path of ['/data/tree', '/data/tree/sub']) await make(site.globex, path);
    for (const path of ['/data/tree/a.txt', '/data/tree/sub/b.txt']) await put(site.globex, path);
    expect((await remove(site.globex, '/data/tree?recursive=true')).status).toBe(200);
    expect((await site.globex.get('/2.0/files/data/tree/sub/b.txt')).status).toBe(404);
    const records = await recorded();
    for (const what of ['file /data/tree/a.txt', 'file /data/tree/sub/b.txt', 'folder /data/tree']) {
      expect(records).toContainEqual(expect.stringContaining(`Server delete ${what}`));
    }
  });

  test('deletes nothing of a folder if a part of it must not be deleted', async () => {
    await put(site.acme, '/inbox/sub/kept/a.txt');
    expect(failureOf(await remove(site.acme, '/inbox/sub/kept?recursive=true'))).toEqual([
      403,
      'authorization',
      'No delete permission',
    ]);
    expect((await site.acme.get('/2.0/files/inbox/sub/kept/a.txt')).status).toBe(200);
  });

  test.each([
    ['a missing folder', '/inbox/nope', [404, 'io', "Path '/inbox/nope' doesn't exist"]],
    ['a file', '/inbox/file.txt', [400, 'io', 'The path is not a folder']],
    ['one without the permission', '/outbox', [403, 'authorization', 'No delete permission']],
    ['a folder without the list permission', '/private/hidden.txt', [403, 'authorization', 'No delete permission']],
    ['a missing folder without the list permission', '/private/nope', [403, 'authorization', 'No delete permission']],
    ['an invalid request', '/inbox?recursive=yes', [400, 'request_syntax', 'Missing parameters or syntax error']],
  ])('refuses %s', async (_what, path, failure) => {
    await put(site.acme, '/inbox/file.txt');
    expect(failureOf(await remove(site.acme, path))).toEqual(failure);
  });

  test('refuses a folder that contains a mount', async () => {
    expect((await remove(site.hooli, '/own?recursive=true')).status).toBe(403);
  });
});

describe('POST /move', () => {
  test('renames a file: its fileset, dates and metadata stay', async () => {
    const stored = (await put(site.globex, '/data/old.txt')).json() as { fileset: string };
    const moved = await move(site.globex, 'data/old.txt', '/data/new.txt');
    expect([moved.status, moved.json()]).toEqual([
      200,
      expect.objectContaining({ message: 'Moved', fileset: stored.fileset }),
    ]);
    expect((await site.globex.get('/2.0/files/data/old.txt')).status).toBe(404);
    expect((await site.globex.get('/2.0/files/data/new.txt')).text).toBe('/data/old.txt');
    expect(await recorded()).toContainEqual(expect.stringContaining('rename file from /data/old.txt'));
  });

  test('moves a folder with its content', async () => {
    for (const path of ['/data/from', '/data/from/sub', '/data/to']) await make(site.globex, path);
    await put(site.globex, '/data/from/sub/a.txt');
    expect((await move(site.globex, 'data/from', 'data/to/here')).status).toBe(200);
    expect((await site.globex.get('/2.0/files/data/to/here/sub/a.txt')).text).toBe('/data/from/sub/a.txt');
    expect((await site.globex.get('/2.0/directories/data/from')).status).toBe(404);
  });

  test('replaces a file only on request', async () => {
    for (const path of ['/data/x.txt', '/data/y.txt']) await put(site.globex, path);
    expect((await move(site.globex, 'data/x.txt', 'data/y.txt')).status).toBe(409);
    expect((await move(site.globex, 'data/x.txt', 'data/y.txt', true)).status).toBe(200);
    expect((await site.globex.get('/2.0/files/data/y.txt')).text).toBe('/data/x.txt');
  });

  test.each([
    ['a missing file', 'inbox/nope', 'inbox/x', [404, 'io', "File 'nope' doesn't exist"]],
    ['into a missing folder', 'inbox/m.txt', 'inbox/nope/x', [404, 'io', "Path '/inbox/nope' doesn't exist"]],
    ['without the permission to rename', 'outbox/x', 'inbox/x', [403, 'authorization', 'No rename permission']],
    [
      'a file without the list permission',
      'private/hidden.txt',
      'inbox/x',
      [403, 'authorization', 'No rename permission'],
    ],
    ['without the permission to write', 'inbox/m.txt', 'outbox/x', [403, 'authorization', 'No write permission']],
    [
      'a folder without the permission to create folders',
      'inbox/plain',
      'drop/x',
      [403, 'authorization', 'No create folder permission'],
    ],
    [
      'a folder with content that must not be renamed',
      'inbox/sub/kept',
      'inbox/x',
      [403, 'authorization', 'No rename permission'],
    ],
    [
      'a file to a name with specific rules',
      'inbox/m.txt',
      'inbox/ruled',
      [403, 'authorization', 'No write permission'],
    ],
    [
      'a folder to a name with specific rules',
      'inbox/plain',
      'inbox/ruled',
      [403, 'authorization', 'No create folder permission'],
    ],
    [
      'a folder into itself',
      'inbox/plain',
      'inbox/plain/x',
      [400, 'request_syntax', 'Missing parameters or syntax error'],
    ],
    ['the root', '/', 'inbox/x', [400, 'request_syntax', 'No filename specified']],
    ['with an invalid path', 'inbox/../m.txt', 'x', [400, 'request_syntax', 'Missing parameters or syntax error']],
  ])('refuses %s', async (_what, from, to, failure) => {
    await make(site.acme, '/inbox/plain');
    await put(site.acme, '/inbox/m.txt');
    expect(failureOf(await move(site.acme, from, to))).toEqual(failure);
  });

  test('moves an entry away from a name with specific rules only to a place where it may be created', async () => {
    await site.rig.plant('acme-files', '/inbox/ruled', 'x');
    expect((await move(site.acme, 'inbox/ruled', 'inbox/free.txt')).status).toBe(200);
    await site.rig.plant('acme-files', '/private/blind/ruled', 'x');
    expect((await move(site.acme, 'private/blind/ruled', 'private/loose')).status).toBe(403);
  });

  test('does not disclose what is there without the list permission, but lets it be replaced', async () => {
    const blind = (name: string) => `private/blind/${name}`;
    for (const name of ['one', 'taken']) await put(site.acme, `/${blind(name)}`);
    const [taken, free] = [
      await move(site.acme, blind('one'), blind('taken')),
      await move(site.acme, blind('one'), blind('free')),
    ];
    for (const answer of [taken, free]) {
      expect(failureOf(answer)).toEqual([403, 'authorization', 'No list permission']);
    }
    expect((await move(site.acme, blind('one'), blind('taken'), true)).status).toBe(200);
  });

  test('refuses a move into another file system, and onto a mount', async () => {
    await put(site.hooli, '/own/a.txt');
    expect((await move(site.hooli, 'own/a.txt', 'own/shared/a.txt')).status).toBe(501);
    expect((await move(site.hooli, 'own/a.txt', 'own/shared')).status).toBe(409);
    expect((await move(site.hooli, 'own/shared', 'own/x')).status).toBe(403);
  });
});
