import type { HttpClient } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { twoPeers } from './test-peers.ts';

const site = twoPeers({ users: ['acme'] });
let elsewhere: HttpClient;

beforeAll(async () => {
  elsewhere = await site.other.logIn('acme');
});

const unmet = [412, 'io', 'The precondition is not met'];

function put(client: HttpClient, name: string, body: string, headers: Record<string, string>) {
  return client.put(`/2.0/files/inbox/${name}`, { body, headers: { 'content-type': 'text/plain', ...headers } });
}

describe('If-None-Match: *', () => {
  test('stores a new file, and refuses to replace one', async () => {
    expect((await put(site.acme, 'new.txt', 'one', { 'if-none-match': '*' })).status).toBe(201);
    expect(failureOf(await put(site.acme, 'new.txt', 'two', { 'if-none-match': '*' }))).toEqual(unmet);
    expect((await site.acme.get('/2.0/files/inbox/new.txt')).text).toBe('one');
  });

  test('applies to forms too', async () => {
    const headers = { 'if-none-match': '*' };
    const send = () => site.acme.post('/2.0/files/inbox', { multipart: formOf('x', { name: 'form.txt' }), headers });
    expect((await send()).status).toBe(201);
    expect(failureOf(await send())).toEqual(unmet);
  });

  test('lets exactly one of many writers on several peers win', async () => {
    const writers = Array.from({ length: 12 }, (_, index) =>
      put(index % 2 === 0 ? site.acme : elsewhere, 'race-new.txt', `writer ${index}`, { 'if-none-match': '*' }),
    );
    const statuses = (await Promise.all(writers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 412)).toHaveLength(11);
  });
});

describe('If-Match', () => {
  test('replaces the version that it names, and no other', async () => {
    const first = await put(site.acme, 'versions.txt', 'one', {});
    const ifMatch = first.headers.get('etag') ?? '';
    expect((await put(site.acme, 'versions.txt', 'two', { 'if-match': `"other", ${ifMatch}` })).status).toBe(201);
    expect(failureOf(await put(site.acme, 'versions.txt', 'three', { 'if-match': ifMatch }))).toEqual(unmet);
    expect((await site.acme.get('/2.0/files/inbox/versions.txt')).text).toBe('two');
  });

  test('never stores a file that did not exist', async () => {
    for (const ifMatch of ['*', '"some"']) {
      expect(failureOf(await put(site.acme, 'absent.txt', 'x', { 'if-match': ifMatch }))).toEqual(unmet);
    }
    expect((await site.acme.get('/2.0/files/inbox/absent.txt')).status).toBe(404);
  });

  test('lets exactly one of many writers win that saw the same version', async () => {
    const first = await put(site.acme, 'race.txt', 'first', {});
    const ifMatch = first.headers.get('etag') ?? '';
    const writers = Array.from({ length: 12 }, (_, index) =>
      put(index % 2 === 0 ? site.acme : elsewhere, 'race.txt', `writer ${index}`, { 'if-match': ifMatch }),
    );
    const answers = await Promise.all(writers);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(11);
    const winner = answers.findIndex(({ status }) => status === 201);
    expect((await site.acme.get('/2.0/files/inbox/race.txt')).text).toBe(`writer ${winner}`);
  });
});

describe('If-Unmodified-Since', () => {
  const past = { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' };

  test('refuses to replace a file that was modified after it, in forms too, and replaces one that was not', async () => {
    const lastModified = async () =>
      (await site.acme.request('HEAD', '/2.0/files/inbox/dated.txt')).headers.get('last-modified') ?? '';
    await put(site.acme, 'dated.txt', 'one', past);
    expect(failureOf(await put(site.acme, 'dated.txt', 'two', past))).toEqual(unmet);
    const form = { multipart: formOf('three', { name: 'dated.txt' }), headers: past };
    expect(failureOf(await site.acme.post('/2.0/files/inbox', form))).toEqual(unmet);
    expect((await site.acme.get('/2.0/files/inbox/dated.txt')).text).toBe('one');
    expect((await put(site.acme, 'dated.txt', 'four', { 'if-unmodified-since': await lastModified() })).status).toBe(
      201,
    );
    expect((await site.acme.get('/2.0/files/inbox/dated.txt')).text).toBe('four');
  });

  test('is ignored if it is not a date, and beside If-Match', async () => {
    const etag = (await put(site.acme, 'undated.txt', 'one', {})).headers.get('etag') ?? '';
    expect((await put(site.acme, 'undated.txt', 'two', { 'if-unmodified-since': 'yesterday' })).status).toBe(201);
    expect((await put(site.acme, 'undated.txt', 'one', {})).headers.get('etag')).toBe(etag);
    expect((await put(site.acme, 'undated.txt', 'three', { ...past, 'if-match': etag })).status).toBe(201);
  });
});

test('a condition that fails at the commit leaves no blob and no upload behind', async () => {
  expect(await site.rig.database.query('select from filebox.uploads')).toEqual([]);
});

test('a condition discloses nothing to a user who may upload but not list', async () => {
  await site.rig.plant('acme-files', '/drop/there.txt', 'x');
  for (const name of ['there.txt', 'nothing.txt']) {
    const headers = { 'content-type': 'text/plain', 'if-none-match': '*' };
    const answer = await site.acme.put(`/2.0/files/drop/${name}`, { body: 'x', headers });
    expect(failureOf(answer)).toEqual([403, 'authorization', 'No list permission']);
  }
});

test.each([
  { 'if-match': 'no quotes' },
  { 'if-none-match': '"tag"' },
  { 'if-match': '*', 'if-none-match': '*' },
  { 'idempotency-key': 'has a space' },
])('%j is refused as a syntax error', async (headers) => {
  expect(failureOf(await put(site.acme, 'syntax.txt', 'x', headers))).toEqual([
    400,
    'request_syntax',
    'Missing parameters or syntax error',
  ]);
});
