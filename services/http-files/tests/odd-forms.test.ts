import { describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

const badRequest = [400, 'request_syntax', 'Missing parameters or syntax error'];

/** The order of metadata and file has no effect. */
const orders = [
  ['before', ['metadata', 'file']],
  ['behind', ['file', 'metadata']],
] as const;

describe('metadata that a client sends as a file', () => {
  test.each(orders)('as browsers send a Blob, %s the content, is metadata', async (where, order) => {
    const parts: Record<(typeof order)[number], [Blob, string]> = {
      metadata: [new Blob([`{"ORDER":"${where} ř"}`], { type: 'application/json' }), 'blob'],
      file: [new Blob(['content']), `${where}.txt`],
    };
    const form = new FormData();
    for (const name of order) form.append(name, ...parts[name]);
    expect((await site.acme.post('/2.0/files/inbox', { multipart: form })).status).toBe(201);
    expect((await site.acme.get(`/2.0/files/inbox/${where}.txt`)).text).toBe('content');
    const described = (await site.acme.get(`/2.0/metadata/inbox/${where}.txt`)).json();
    expect(described).toMatchObject({ metadata: { ORDER: `${where} ř`, datatype: 'application/octet-stream' } });
  });

  test('does not give its type to a file without one', async () => {
    const part = (name: string, type: string, text: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.csv"\r\n${type}\r\n${text}\r\n`;
    const body = `${part('metadata', 'Content-Type: application/json\r\n', '{}')}${part('file', '', 'x')}--b--\r\n`;
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await site.acme.post('/2.0/files/inbox', { headers, body })).status).toBe(201);
    const stored = await site.acme.get('/2.0/files/inbox/file.csv');
    expect([stored.text, stored.headers.get('content-type')]).toEqual(['x', 'application/octet-stream']);
  });

  test('may begin with a byte order mark', async () => {
    const multipart = formOf('x', { name: 'marked.txt', metadata: '\uFEFF{"A":"1"}' });
    expect((await site.acme.post('/2.0/files/inbox', { multipart })).status).toBe(201);
  });

  test.each<[string, string[]]>([
    ['twice', ['{}', '{}']],
    ['that is larger than a field may be', [`{"A":"${'x'.repeat(1_100_000)}"}`]],
    ['that is not JSON', ['A=1']],
    ['that is not UTF-8', ['{"A":"\xff"}']],
  ])('%s is refused, and nothing is stored', async (_what, texts) => {
    const form = new FormData();
    form.append('file', new Blob(['x']), 'refused.txt');
    for (const text of texts) form.append('metadata', new Blob([Buffer.from(text, 'latin1')]), 'blob');
    expect(failureOf(await site.acme.post('/2.0/files/inbox', { multipart: form }))).toEqual(badRequest);
    expect((await site.acme.get('/2.0/files/inbox/refused.txt')).status).toBe(404);
  });
});

describe('a form is refused, and nothing is stored,', () => {
  const lines = (encoding: string) => `Content-Transfer-Encoding: ${encoding}\r\n\r\n`;
  const file = 'Content-Disposition: form-data; name="file"; filename="odd.txt"\r\n';
  const metadata = '--b\r\nContent-Disposition: form-data; name="metadata"\r\n';

  test.each<[string, Record<string, string>, string]>([
    ['if its file is in Base64', {}, `--b\r\n${file}${lines('BASE64')}eA==\r\n--b--\r\n`],
    ['if its metadata is', {}, `--b\r\n${file}\r\nx\r\n${metadata}${lines('base64')}e30=\r\n--b--\r\n`],
    ['if it is a range of a file', { 'content-range': 'bytes 0-0/9' }, `--b\r\n${file}\r\nx\r\n--b--\r\n`],
    ['if it is compressed', { 'content-encoding': 'gzip' }, `--b\r\n${file}\r\nx\r\n--b--\r\n`],
  ])('%s', async (_what, more, body) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b', ...more };
    for (const answer of [
      await site.acme.post('/2.0/files/inbox', { headers, body }),
      await site.acme.put('/2.0/files/inbox/odd.txt', { headers, body }),
    ]) {
      expect(failureOf(answer)).toEqual(badRequest);
    }
    expect((await site.acme.get('/2.0/files/inbox/odd.txt')).status).toBe(404);
  });

  test.each(['7bit', '8bit', 'Binary'])('but not if it only declares that its file is %s', async (encoding) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const body = `--b\r\n${file}${lines(encoding)}eA==\r\n--b--\r\n`;
    expect((await site.acme.put('/2.0/files/inbox/plain.txt', { headers, body })).status).toBe(201);
    expect((await site.acme.get('/2.0/files/inbox/plain.txt')).text).toBe('eA==');
  });
});
