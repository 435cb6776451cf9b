import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeEach, describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });
let etag: string;
let modified: string;

beforeEach(async () => {
  await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
  const { headers } = await site.acme.request('HEAD', '/2.0/files/inbox/there.txt');
  [etag, modified] = [headers.get('etag') ?? '', headers.get('last-modified') ?? ''];
});

const unmet = [412, 'io', 'The precondition is not met'];
const long = 'Sun, 06 Nov 1994 08:49:37 GMT';
const later = 'Fri, 06 Nov 2099 08:49:37 GMT';

type Headers = Record<string, string>;
type Change = (headers: Headers) => Promise<HttpResponse>;
const changes: [string, Change][] = [
  ['D5', (headers) => site.acme.delete('/2.0/files/inbox/there.txt', { headers })],
  ['D6', (headers) => site.acme.post('/2.0/metadata/inbox/there.txt', { json: { A: '1' }, headers })],
  [
    'a move',
    (headers) =>
      site.acme.post('/2.0/move', { json: { from: 'inbox/there.txt', to: 'inbox/x', overwrite: true }, headers }),
  ],
];

describe.each(changes)('%s', (name, change) => {
  test('is done if its preconditions hold', async () => {
    for (const headers of [
      { 'if-match': `"other", ${etag}` },
      { 'if-match': '*' },
      { 'if-none-match': '"other"' },
      { 'if-unmodified-since': later },
      { 'if-match': etag, 'if-unmodified-since': long },
      { 'if-unmodified-since': 'no date' },
      { 'if-modified-since': later },
    ]) {
      await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
      expect((await change(headers as Headers)).status, JSON.stringify(headers)).toBe(200);
    }
  });

  test('changes nothing if one of them does not hold', async () => {
    for (const headers of [
      { 'if-match': '"other"' },
      { 'if-match': `W/${etag}` },
      { 'if-none-match': '*' },
      { 'if-none-match': `W/${etag}` },
      { 'if-unmodified-since': long },
      { 'if-unmodified-since': 'Sun Nov  6 08:49:37 1994' },
    ]) {
      expect(failureOf(await change(headers as Headers)), JSON.stringify(headers)).toEqual(unmet);
    }
    expect((await site.acme.get('/2.0/metadata/inbox/there.txt')).text).not.toContain('"A"');
  });

  test('is refused with an invalid precondition', async () => {
    const failure = failureOf(await change({ 'if-match': 'no quotes' }));
    const syntaxError = ['syntax_error', 'missing param or syntax error'];
    const wanted = name === 'D5' ? syntaxError : ['request_syntax', 'Missing parameters or syntax error'];
    expect(failure).toEqual([400, ...wanted]);
  });
});

test('conditional deletions during replacements only delete the version that their client saw', async () => {
  const writers = Array.from({ length: 6 }, (_, index) =>
    site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf(`writer ${index}`) }),
  );
  const deletions = Array.from({ length: 6 }, () =>
    site.acme.delete('/2.0/files/inbox/there.txt', { headers: { 'if-match': etag } }),
  );
  await Promise.all(writers);
  expect((await Promise.all(deletions)).filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect((await site.acme.get('/2.0/files/inbox/there.txt')).text).toMatch(/^writer \d$/u);
});

test('a folder has no entity tag', async () => {
  await site.acme.put('/2.0/folders/inbox/folder');
  const move = (headers: Headers) =>
    site.acme.post('/2.0/move', { json: { from: 'inbox/folder', to: 'inbox/moved' }, headers });
  expect(failureOf(await move({ 'if-match': etag }))).toEqual(unmet);
  expect((await move({ 'if-match': '*' })).status).toBe(200);
});

describe('D4', () => {
  const statusOf = async (headers: Headers) => {
    const { status } = await site.acme.get('/2.0/files/inbox/there.txt', { headers });
    return status;
  };

  test('returns when the file was last modified', async () => {
    const { attributes } = (await site.acme.get('/2.0/metadata/inbox/there.txt')).json() as {
      attributes: { lastModifiedTime: string };
    };
    expect(modified).toBe(new Date(attributes.lastModifiedTime).toUTCString());
  });

  test('limits a modification time in the future to the present', async () => {
    await site.rig.database.query(
      "update filebox.entries set modified_at = now() + interval '1 day' where name = 'there.txt'",
    );
    const { headers } = await site.acme.get('/2.0/files/inbox/there.txt');
    const [told, now] = [headers.get('last-modified') ?? '', headers.get('date') ?? ''];
    expect(new Date(told).getTime()).toBeLessThanOrEqual(new Date(now).getTime());
  });

  test('responds with 412 if the file is another version', async () => {
    const answer = await site.acme.get('/2.0/files/inbox/there.txt', { headers: { 'if-match': '"other"' } });
    expect(failureOf(answer)).toEqual(unmet);
    expect(await statusOf({ 'if-match': etag })).toBe(200);
    expect(await statusOf({ 'if-unmodified-since': long })).toBe(412);
    expect(await statusOf({ 'if-unmodified-since': modified })).toBe(200);
    expect(await statusOf({ 'if-match': etag, 'if-unmodified-since': long })).toBe(200);
    expect(await statusOf({ 'if-match': '"other"', 'if-none-match': etag })).toBe(412);
  });

  test('responds with 304 if the client has the file, by its tag before its date', async () => {
    expect(await statusOf({ 'if-modified-since': modified })).toBe(304);
    expect(await statusOf({ 'if-modified-since': long })).toBe(200);
    expect(await statusOf({ 'if-modified-since': 'no date' })).toBe(200);
    expect(await statusOf({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect(await statusOf({ 'if-none-match': etag, 'if-modified-since': long })).toBe(304);
    expect(await statusOf({ 'if-modified-since': modified, range: 'bytes=0-0' })).toBe(304);
  });
});
