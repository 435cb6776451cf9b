import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import { openDirectory } from '@waybill/directory/open-directory';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { afterEach, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const mebibyte = 1024 * 1024;
const site = onePeer({ users: ['globex'] });

afterEach(async () => {
  await limit(undefined);
});

async function limit(limits: VfsLimits | undefined): Promise<void> {
  const vfs = await openDirectory({ db: site.rig.db }).findVfsByName('globex-files');
  if (vfs === undefined) throw new Error('globex-files is not there');
  await site.rig.db.transaction((trx) => setLimits(trx, { vfsId: vfs.id, name: 'globex-files', limits }));
}

async function unfinished(): Promise<string[]> {
  return readdir(join(site.rig.folder, 'blobs', 'incoming'));
}

/** Sends a raw body in pieces, as slowly as it is read, and returns the response and how much had been sent by then. */
async function put(path: string, bytes: number, { isLengthKnown }: { isLengthKnown: boolean }) {
  let sentBytes = 0;
  const piece = Buffer.alloc(65_536);
  const body = Readable.from(
    (function* pieces() {
      for (; sentBytes < bytes; sentBytes += piece.length) yield piece;
    })(),
  );
  const cookie = `sp-http-usr=${site.globex.cookies.get('sp-http-usr')}; sp-http-ses=${site.globex.cookies.get('sp-http-ses')}`;
  const headers = { cookie, 'content-type': 'text/plain', ...(isLengthKnown && { 'content-length': bytes }) };
  const sending = request(`${site.peer.url}/2.0/files${path}`, { method: 'PUT', headers, agent: false });
  const answered = Promise.withResolvers<{ status: number | undefined; body: unknown; sentBytes: number }>();
  sending.on('response', (response) => {
    const [status, before] = [response.statusCode, sentBytes];
    text(response).then(
      (json) => answered.resolve({ status, body: JSON.parse(json), sentBytes: before }),
      answered.reject,
    );
  });
  // The server may close the connection after its response.
  sending.on('error', () => {});
  body.pipe(sending);
  const answer = await answered.promise;
  body.destroy();
  sending.destroy();
  return answer;
}

const failure = (message: string, detail?: string) => ({
  result: 'failed',
  timestamp: expect.any(String),
  message,
  errorType: 'io',
  ...(detail !== undefined && { detail }),
});
const byteFailure = (most: string) =>
  failure(
    'The limit of bytes of the virtual file system is reached',
    `The virtual file system may hold ${most} bytes at most`,
  );

test('a body that is known not to fit is answered with 507 before it is sent', async () => {
  await limit({ bytes: mebibyte });
  const answer = await put('/data/big', 64 * mebibyte, { isLengthKnown: true });
  expect(answer).toMatchObject({ status: 507, body: byteFailure('1,048,576') });
  expect(answer.sentBytes).toBeLessThan(32 * mebibyte);
  expect(await put('/data/fits', mebibyte, { isLengthKnown: true })).toMatchObject({ status: 201 });
  expect(await site.globex.delete('/2.0/files/data/fits')).toMatchObject({ status: 200 });
});

test('a body of unknown length is answered with 507 while it is still being sent, and leaves nothing', async () => {
  await limit({ bytes: mebibyte });
  const answer = await put('/data/big', 64 * mebibyte, { isLengthKnown: false });
  expect(answer).toMatchObject({ status: 507, body: byteFailure('1,048,576') });
  expect(answer.sentBytes).toBeLessThan(64 * mebibyte);
  expect((await site.globex.get('/2.0/files/data/big')).status).toBe(404);
  expect(await unfinished()).toEqual([]);
});

test('a form is answered with 507 too, by either way to upload one', async () => {
  await limit({ bytes: 10 });
  const form = () => formOf('12345678901', { name: 'a.txt' });
  const answers = [
    await site.globex.put('/2.0/files/data/a.txt', { multipart: form() }),
    await site.globex.post('/2.0/files/data', { multipart: form() }),
  ];
  for (const answer of answers) {
    expect(answer.status).toBe(507);
    expect(answer.json()).toEqual(byteFailure('10'));
  }
});

test('files, folders and depth have separate failures, which name the limit', async () => {
  await site.globex.put('/2.0/folders/data/top');
  await limit({ files: 0, folders: 3, depth: 2 });
  const upload = await site.globex.put('/2.0/files/data/a.txt', { multipart: formOf('') });
  expect([upload.status, upload.json()]).toEqual([
    507,
    failure(
      'The limit of files of the virtual file system is reached',
      'The virtual file system may hold 0 files at most',
    ),
  ]);
  const deep = await site.globex.put('/2.0/folders/data/top/below');
  expect([deep.status, deep.json()]).toEqual([
    507,
    failure('Folders cannot be nested that deep', 'Folders may be nested 2 deep at most'),
  ]);
  expect((await site.globex.put('/2.0/folders/data/last')).status).toBe(201);
  const folder = await site.globex.put('/2.0/folders/data/more');
  expect([folder.status, folder.json()]).toEqual([
    507,
    failure(
      'The limit of folders of the virtual file system is reached',
      'The virtual file system may hold 3 folders at most',
    ),
  ]);
});

test('a move is answered with 507 if folders would be nested too deep, and moves nothing; one that adds nothing is not limited', async () => {
  const move = (from: string, to: string) => site.globex.post('/2.0/move', { json: { from, to } });
  for (const path of ['data/tall', 'data/tall/in', 'data/other']) await site.globex.put(`/2.0/folders/${path}`);
  await site.globex.put('/2.0/files/data/tall/in/a.txt', { multipart: formOf('12345') });
  await limit({ depth: 3, bytes: 1, files: 0, folders: 0 });
  const refused = await move('data/tall', 'data/other/tall');
  expect([refused.status, refused.json()]).toEqual([
    507,
    failure('Folders cannot be nested that deep', 'Folders may be nested 3 deep at most'),
  ]);
  expect((await site.globex.get('/2.0/files/data/tall/in/a.txt')).text).toBe('12345');
  expect((await site.globex.get('/2.0/directories/data/other')).json()).toMatchObject({ totalCount: '0' });
  for (const [from, to] of [
    ['data/tall/in', 'data/other/in'],
    ['data/other/in/a.txt', 'data/tall/b.txt'],
  ] as const) {
    expect((await move(from, to)).status).toBe(200);
  }
  expect((await site.globex.get('/2.0/files/data/tall/b.txt')).text).toBe('12345');
  for (const top of ['tall', 'other']) await site.globex.delete(`/2.0/folders/data/${top}?recursive=true`);
});

test('of 50 uploads at once exactly those that fit are stored, whether their length is known or not', async () => {
  const size = 131_072;
  await limit({ bytes: 30 * size });
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => put(`/data/many-${index}`, size, { isLengthKnown: index % 2 === 0 })),
  );
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(30);
  expect(statuses.filter((status) => status === 507)).toHaveLength(20);
});

test('a full disk is answered with 507 while the body is still being sent, and leaves nothing', async () => {
  // A file of this process may have 1 MiB from now on: the system refuses more as a full disk does.
  const sizeOfFiles = (bytes: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  const ignore = (): void => {};
  process.on('SIGXFSZ', ignore);
  sizeOfFiles(String(mebibyte));
  try {
    for (const isLengthKnown of [true, false]) {
      const answer = await put('/data/big', 64 * mebibyte, { isLengthKnown });
      expect(answer).toMatchObject({ status: 507, body: failure('There is no room left to store the file') });
      expect(answer.sentBytes).toBeLessThan(64 * mebibyte);
    }
  } finally {
    sizeOfFiles('unlimited');
    process.off('SIGXFSZ', ignore);
  }
  expect(await unfinished()).toEqual([]);
  expect((await site.globex.get('/2.0/files/data/big')).status).toBe(404);
});
