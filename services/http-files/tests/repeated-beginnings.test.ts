import { randomUUID } from 'node:crypto';
import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { twoPeers } from './test-peers.ts';
import { append, begin, inspect, terminate } from './tus-requests.ts';

const site = twoPeers();
let globex: HttpClient;
let elsewhere: HttpClient;

beforeAll(async () => {
  [globex, elsewhere] = [await site.peer.logIn('globex'), await site.other.logIn('globex')];
});

const keyed = (key: string = randomUUID()) => ({ headers: { 'idempotency-key': key } });
const replayedOf = ({ headers }: { headers: Headers }) => headers.get('idempotency-replayed');
const stagedUploads = async () => (await site.rig.database.query('select from filebox.uploads')).length;

test('a resumable upload that is begun again under its key is the same one, with its present offset, on any peer', async () => {
  const once = keyed();
  const first = await begin(globex, { path: 'data/once.txt' }, 5, once);
  expect([first.status, replayedOf(first)]).toEqual([201, null]);
  await append(globex, first.path, 0, 'he');
  const second = await begin(elsewhere, { path: 'data/once.txt' }, 5, once);
  expect([second.status, second.path, replayedOf(second)]).toEqual([201, first.path, 'true']);
  expect(second.headers.get('upload-offset')).toBe('2');
  expect(await stagedUploads()).toBe(1);
  await append(elsewhere, second.path, 2, 'llo');
  const third = await begin(globex, { path: 'data/once.txt' }, 5, once);
  expect([third.path, third.headers.get('x-file-size')]).toEqual([first.path, '5']);
  expect((await globex.get('/2.0/files/data/once.txt')).text).toBe('hello');
});

test('a first part that is sent again with it counts once', async () => {
  const once = { ...keyed(), body: 'hello' };
  const answers = [
    await begin(globex, { path: 'data/part.txt' }, 8, once),
    await begin(globex, { path: 'data/part.txt' }, 8, once),
  ];
  expect(answers.map(({ headers }) => headers.get('upload-offset'))).toEqual(['5', '5']);
  const { path = '' } = answers[0] ?? {};
  expect((await append(globex, path, 5, '!!!')).status).toBe(204);
  expect((await globex.get('/2.0/files/data/part.txt')).text).toBe('hello!!!');
});

test('of many concurrent beginnings under one key there is one upload, and nothing of the others', async () => {
  const before = await stagedUploads();
  const once = keyed();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => begin(index % 2 ? globex : elsewhere, { path: 'data/many.txt' }, 5, once)),
  );
  expect(new Set(answers.map(({ status, path }) => `${status} ${path}`)).size).toBe(1);
  expect(answers.filter((answer) => replayedOf(answer) === null)).toHaveLength(1);
  expect(await stagedUploads()).toBe(before + 1);
});

test('the key of another upload is refused, that of another user and that of a discarded upload are free', async () => {
  const once = keyed();
  const first = await begin(globex, { path: 'data/key.txt' }, 5, once);
  const reused = [422, 'request_syntax', 'The idempotency key belongs to another request'];
  expect(failureOf(await begin(globex, { path: 'data/other.txt' }, 5, once))).toEqual(reused);
  expect(failureOf(await begin(globex, { path: 'data/key.txt' }, 6, once))).toEqual(reused);
  const conditional = { headers: { ...once.headers, 'if-none-match': '*' } };
  expect(failureOf(await begin(globex, { path: 'data/key.txt' }, 5, conditional))).toEqual(reused);
  const hooli = await site.peer.logIn('hooli');
  expect((await begin(hooli, { path: 'own/reports/key.txt' }, 5, once)).status).toBe(201);
  await terminate(globex, first.path);
  const again = await begin(globex, { path: 'data/other.txt' }, 5, once);
  expect([again.status, replayedOf(again)]).toEqual([201, null]);
  await site.rig.database.query("update http_files.resumable_uploads set expires_at = now() - interval '1 second'");
  const anew = await begin(globex, { path: 'data/third.txt' }, 5, once);
  expect([anew.status, (await inspect(globex, anew.path)).status]).toEqual([201, 200]);
});
