import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, test } from 'vitest';
import { onePeer } from './test-peers.ts';
import { append, appendSlowly, beginPart, describedAs, inspect, joinParts, tusResumable } from './tus-requests.ts';

const site = onePeer({ env: { RESUMABLE_UPLOAD_LIMIT_BYTES: '1000' }, users: ['acme'] });

const stored = async (path: string) => (await site.acme.get(`/2.0/files/${path}`)).text;

describe('an upload whose length is announced later', () => {
  const beginDeferred = async (path: string, more: object = {}) => {
    const headers = { ...tusResumable, 'upload-defer-length': '1', 'upload-metadata': describedAs({ path }), ...more };
    const answer = await site.acme.post('/2.0/uploads', { headers });
    expect(answer.status).toBe(201);
    return new URL(answer.headers.get('location') ?? '').pathname;
  };

  test('reports that until a part announces it, and is stored with the last byte', async () => {
    const path = await beginDeferred('inbox/later.txt');
    expect((await append(site.acme, path, 0, 'abc')).status).toBe(204);
    const { headers } = await inspect(site.acme, path);
    expect([headers.get('upload-defer-length'), headers.get('upload-length'), headers.get('upload-offset')]).toEqual([
      '1',
      null,
      '3',
    ]);
    expect((await append(site.acme, path, 3, 'd', { 'upload-length': '6' })).status).toBe(204);
    expect((await inspect(site.acme, path)).headers.get('upload-length')).toBe('6');
    expect((await append(site.acme, path, 4, 'ef', { 'upload-length': '6' })).headers.get('x-file-size')).toBe('6');
    expect(await stored('inbox/later.txt')).toBe('abcdef');
  });

  test('is stored by a length alone, even if it is empty', async () => {
    for (const content of ['abc', '']) {
      const path = await beginDeferred('inbox/length-alone.txt');
      if (content !== '') await append(site.acme, path, 0, content);
      const told = { 'upload-length': String(content.length) };
      expect((await append(site.acme, path, content.length, '', told)).headers.get('x-file-size')).toBe(
        told['upload-length'],
      );
      expect(await stored('inbox/length-alone.txt')).toBe(content);
    }
  });

  test('accepts its length once, never one that it exceeds, and never more than the limit of a file', async () => {
    const path = await beginDeferred('inbox/lengths.txt');
    await append(site.acme, path, 0, 'abc');
    expect((await append(site.acme, path, 3, '', { 'upload-length': '2' })).status).toBe(400);
    expect((await append(site.acme, path, 3, '', { 'upload-length': '1001' })).status).toBe(413);
    expect((await append(site.acme, path, 3, 'defg', { 'upload-length': '4' })).status).toBe(413);
    expect((await append(site.acme, path, 3, 'x'.repeat(998))).status).toBe(413);
    expect((await append(site.acme, path, 3, '', { 'upload-length': '-1' })).status).toBe(400);
    expect((await inspect(site.acme, path)).headers.get('upload-defer-length')).toBe('1');
    expect((await append(site.acme, path, 3, '', { 'upload-length': '5' })).status).toBe(204);
    expect((await append(site.acme, path, 3, '', { 'upload-length': '6' })).status).toBe(400);
    expect((await append(site.acme, path, 3, 'de')).headers.get('x-file-size')).toBe('5');
  });

  test('does not accept a length from a second request while another one adds content', async () => {
    const path = await beginDeferred('inbox/two-requests.txt');
    const slow = await appendSlowly(
      { url: site.peer.url, client: site.acme, path },
      { offset: 0, content: 'slow', size: 8 },
    );
    const isHeld = async () =>
      (await site.rig.database.query('select from filebox.uploads where lease_until > now()')).length === 1;
    await waitFor(isHeld, { what: 'the lease of the slow request' });
    expect([409, 423]).toContain((await append(site.acme, path, 0, 'x', { 'upload-length': '1' })).status);
    slow.cut();
    await waitFor(async () => !(await isHeld()), { what: 'the end of the slow request' });
    expect((await inspect(site.acme, path)).headers.get('upload-defer-length')).toBe('1');
  });

  test('may be partial', async () => {
    const path = await beginDeferred('inbox/part', { 'upload-concat': 'partial' });
    await append(site.acme, path, 0, 'tail', { 'upload-length': '4' });
    expect((await joinParts(site.acme, [await beginPart(site.acme, 'head '), path], 'inbox/both.txt')).status).toBe(
      201,
    );
    expect(await stored('inbox/both.txt')).toBe('head tail');
  });
});
