import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import type { RunningPeer } from './files-rig.ts';
import { onePeer } from './test-peers.ts';
import { append, begin, describedAs, inspect, terminate, tusResumable } from './tus-requests.ts';

const site = onePeer({ env: { RESUMABLE_UPLOAD_LIMIT_BYTES: '1000' }, users: ['acme'] });

const syntax = 'Missing parameters or syntax error';

describe('POST /uploads refuses', () => {
  test.each<[string, Record<string, string>, number, unknown]>([
    [
      'a folder without the permission to write',
      { path: 'outbox/a' },
      1,
      [403, 'authorization', 'No write permission'],
    ],
    ['a missing folder', { path: 'inbox/nope/a' }, 1, [404, 'io', "Path '/inbox/nope' doesn't exist"]],
    ['a concealed folder', { path: 'private/nope/a' }, 1, [403, 'authorization', 'No write permission']],
    ['a file without a name', { folder: 'inbox' }, 1, [400, 'request_syntax', 'No filename specified']],
    ['the name of a folder', { path: 'inbox/sub' }, 1, [400, 'request_syntax', 'No filename specified']],
    ['an invalid path', { path: 'inbox/../a' }, 1, [400, 'request_syntax', syntax]],
    ['two places', { path: 'inbox/a', folder: 'inbox' }, 1, [400, 'request_syntax', syntax]],
    ['an invalid media type', { path: 'inbox/a', filetype: 'csv' }, 1, [400, 'request_syntax', syntax]],
    ['an invalid value of overwrite', { path: 'inbox/a', overwrite: 'perhaps' }, 1, [400, 'request_syntax', syntax]],
    [
      'a read-only key',
      { path: 'inbox/a', 'SPFB_SP2_FILE_SYS_MD.FILE_LENGTH': '1' },
      1,
      [400, 'request_syntax', syntax],
    ],
    [
      'more bytes than the limit of a file',
      { path: 'inbox/a' },
      1_001,
      [413, 'request_syntax', 'The request is too large'],
    ],
  ])('%s', async (_what, values, length, failure) => {
    expect(failureOf(await begin(site.acme, values, length))).toEqual(failure);
    expect(await site.rig.database.query('select from filebox.uploads')).toEqual([]);
  });

  test.each([
    ['no length', { 'upload-metadata': describedAs({ path: 'inbox/a' }) }],
    ['an invalid deferred length', { 'upload-metadata': describedAs({ path: 'inbox/a' }), 'upload-defer-length': '0' }],
    [
      'a length that is both announced and deferred',
      { 'upload-length': '1', 'upload-metadata': describedAs({ path: 'inbox/a' }), 'upload-defer-length': '1' },
    ],
    ['an invalid concatenation', { 'upload-length': '1', 'upload-concat': 'half' }],
    ['a partial upload without a length', { 'upload-concat': 'partial' }],
    ['no description', { 'upload-length': '1' }],
    ['a description that is not Base64', { 'upload-length': '1', 'upload-metadata': 'path %%%' }],
    ['a description that is not UTF-8', { 'upload-length': '1', 'upload-metadata': 'path /w==' }],
    ['a key twice', { 'upload-length': '1', 'upload-metadata': 'path aQ==,path aQ==' }],
    ['a length that is not a number', { 'upload-length': '-1', 'upload-metadata': describedAs({ path: 'inbox/a' }) }],
  ])('%s', async (_what, headers) => {
    expect((await site.acme.post('/2.0/uploads', { headers: { ...tusResumable, ...headers } })).status).toBe(400);
  });

  test('a body of another type', async () => {
    const answer = await begin(site.acme, { path: 'inbox/a' }, 1, {
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    expect(answer.status).toBe(415);
  });

  test('an unsupported version of the protocol, or none, and names the supported one', async () => {
    for (const headers of [{ 'tus-resumable': '0.2.2' }, {}]) {
      const answer = await site.acme.post('/2.0/uploads', { headers });
      expect([answer.status, answer.headers.get('tus-version')]).toEqual([412, '1.0.0']);
    }
  });
});

describe('conditions', () => {
  test('overwrite false and If-None-Match refuse to replace a file, at the beginning and at the end', async () => {
    const spared = { path: 'inbox/spared.csv', overwrite: 'false' };
    const [slow, quick] = [await begin(site.acme, spared, 4), await begin(site.acme, spared, 5)];
    expect((await append(site.acme, quick.path, 0, 'first')).status).toBe(204);
    expect((await append(site.acme, slow.path, 0, 'slow')).status).toBe(412);
    expect((await inspect(site.acme, slow.path)).status).toBe(404);
    expect((await begin(site.acme, spared, 1)).status).toBe(412);
    const headers = { 'if-none-match': '*' };
    expect((await begin(site.acme, { path: 'inbox/spared.csv' }, 1, { headers })).status).toBe(412);
    expect((await site.acme.get('/2.0/files/inbox/spared.csv')).text).toBe('first');
  });

  test('a file is replaced only while it is the version that If-Match names', async () => {
    const first = await begin(site.acme, { path: 'inbox/match.csv' }, 1, { body: '1' });
    const headers = { 'if-match': first.headers.get('etag') ?? '' };
    expect((await begin(site.acme, { path: 'inbox/match.csv' }, 1, { body: '2', headers })).status).toBe(201);
    expect((await begin(site.acme, { path: 'inbox/match.csv' }, 1, { body: '3', headers })).status).toBe(412);
    expect((await site.acme.get('/2.0/files/inbox/match.csv')).text).toBe('2');
  });
});

describe('PATCH refuses', () => {
  test('an offset that is not the end, and more bytes than were announced', async () => {
    const { path } = await begin(site.acme, { path: 'inbox/offsets.csv' }, 5);
    await append(site.acme, path, 0, 'abc');
    for (const offset of [0, 2, 4]) {
      const answer = await append(site.acme, path, offset, 'x');
      expect(failureOf(answer)).toEqual([409, 'io', 'The upload does not go on at this offset']);
    }
    const tooMuch = await append(site.acme, path, 3, 'defg');
    expect([tooMuch.status, tooMuch.json()]).toEqual([
      413,
      expect.objectContaining({ detail: 'The upload has an Upload-Length of 5 bytes' }),
    ]);
    expect((await append(site.acme, path, 3, 'de', { 'upload-offset': 'x' })).status).toBe(400);
    expect((await append(site.acme, path, 3, 'de', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await inspect(site.acme, path)).headers.get('upload-offset')).toBe('3');
  });

  test('more bytes than were announced even if the size of the part is not announced', async () => {
    const { path } = await begin(site.acme, { path: 'inbox/chunked.csv' }, 5);
    const headers = { ...tusResumable, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const answer = await site.acme.request('PATCH', path, { headers, body: new Blob(['abcdefgh']).stream() });
    expect(answer.status).toBe(413);
    expect((await inspect(site.acme, path)).headers.get('upload-offset')).toBe('0');
  });

  test('an upload whose folder was moved, and then deleted', async () => {
    const { path } = await begin(site.acme, { path: 'inbox/moved/a.csv' }, 3).then(async (refused) => {
      expect(refused.status).toBe(404);
      await site.acme.put('/2.0/folders/inbox/moved');
      return begin(site.acme, { path: 'inbox/moved/a.csv' }, 3);
    });
    await site.acme.post('/2.0/move', { json: { from: 'inbox/moved', to: 'inbox/away' } });
    expect(failureOf(await append(site.acme, path, 0, 'abc'))).toEqual([
      404,
      'io',
      "Path '/inbox/moved' doesn't exist",
    ]);
    await site.acme.delete('/2.0/folders/inbox/away');
    expect(failureOf(await append(site.acme, path, 0, 'abc'))).toEqual([404, 'io', 'There is no such upload']);
  });
});

describe('a user at the limit of unfinished uploads', () => {
  const tooMany = [429, 'io', 'Too many uploads are unfinished'];
  let few: RunningPeer;
  let globex: HttpClient;

  beforeAll(async () => {
    few = await site.rig.start('few', { RESUMABLE_UPLOADS_PER_USER: '3' });
    globex = await few.logIn('globex');
  });
  afterAll(() => few[Symbol.asyncDispose]());

  const stagedOf = async (user: string) =>
    (await site.rig.database.query('select from filebox.uploads where user_name = $1', [user])).length;

  test('is refused one more, however many are begun at once, and it leaves nothing', async () => {
    const begun = await Promise.all(
      Array.from({ length: 12 }, (_, index) => begin(globex, { path: `data/${index}` }, 5)),
    );
    const refused = begun.filter(({ status }) => status !== 201);
    expect(refused.map(failureOf)).toEqual(Array.from({ length: 9 }, () => tooMany));
    const seconds = Number(refused[0]?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(3_600);
    expect(refused[0]?.text).toContain('At most 3 resumable uploads of a user may be unfinished: ');
    expect(refused[0]?.text).toContain(`try again in ${seconds} seconds`);
    expect(await stagedOf('globex')).toBe(3);
    const hooli = await few.logIn('hooli');
    const other = await begin(hooli, { path: 'own/reports/a' }, 1);
    expect(other.status).toBe(201);
    await terminate(hooli, other.path);
  });

  test('may begin one for each that is finished, discarded, refused at its end or deleted with its folder', async () => {
    await site.rig.database.query('delete from http_files.resumable_uploads');
    await globex.put('/2.0/folders/data/passing');
    const paths: string[] = [];
    for (const [name, overwrite] of [
      ['whole', 'true'],
      ['late', 'false'],
      ['passing/one', 'true'],
    ] as const) {
      paths.push((await begin(globex, { path: `data/${name}`, overwrite }, 5)).path);
    }
    const refusedNow = async () => (await begin(globex, { path: 'data/more' }, 5)).status;
    expect(await refusedNow()).toBe(429);
    expect((await append(globex, paths[0] ?? '', 0, 'hello')).status).toBe(204);
    expect([await refusedNow(), await refusedNow()]).toEqual([201, 429]);
    await globex.put('/2.0/files/data/late', { body: 'x', headers: { 'content-type': 'text/plain' } });
    expect((await append(globex, paths[1] ?? '', 0, 'hello')).status).toBe(412);
    expect([await refusedNow(), await refusedNow()]).toEqual([201, 429]);
    await globex.delete('/2.0/folders/data/passing', { query: { recursive: 'true' } });
    expect((await inspect(globex, paths[2] ?? '')).status).toBe(404);
    expect([await refusedNow(), await refusedNow()]).toEqual([201, 429]);
  });
});

test('refusals are audited with the path of the file, or with the id of the upload', async () => {
  const client = createHttpClient(site.peer.url);
  await client.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  await begin(client, { path: 'outbox/by-path' }, 1);
  await begin(client, { folder: 'outbox', filename: 'by-name' }, 1);
  await begin(client, { path: `outbox/${'long'.repeat(1_500)}` }, 1);
  await client.post('/2.0/uploads', { headers: { ...tusResumable, 'upload-metadata': 'path %%%' } });
  const unknown = '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f';
  await append(client, `/2.0/uploads/${unknown}`, 0, 'x');
  const rows = await site.rig.database.query(
    `SELECT payload ->> 'entityType' AS type, payload ->> 'entityName' AS name,
       payload #>> '{context,virtualFileSystem}' AS vfs
     FROM outbox.events WHERE payload ->> 'auditCode' = 'AUD0048A' AND payload #>> '{context,session}' =
       (SELECT payload #>> '{context,session}' FROM outbox.events WHERE payload ->> 'entityName' = '/outbox/by-path')
     ORDER BY id`,
  );
  expect(rows).toEqual([
    { type: 'File', name: '/outbox/by-path', vfs: 'acme-files' },
    { type: 'File', name: '/outbox/by-name', vfs: 'acme-files' },
    { type: 'File', name: expect.stringMatching(/^\/outbox\/(?:long)+/u), vfs: null },
    { type: 'File', name: '/', vfs: 'acme-files' },
    { type: 'Upload', name: unknown, vfs: null },
  ]);
});
