import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { beforeAll, describe, expect, test } from 'vitest';
import { type EndpointName, failureOf, requests } from './endpoint-requests.ts';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

beforeAll(async () => {
  await site.acme.put('/2.0/files/inbox/there.txt', { multipart: formOf('x') });
});

describe('400 request_syntax: No filename specified', () => {
  test.each<[EndpointName, string]>([
    ['D2', '/inbox'],
    ['D2', '/inbox/'],
    ['D2', '/'],
    ['D4', '/inbox'],
    ['D4', '/inbox/'],
    ['D4', ''],
    ['D6', '/inbox'],
    ['D6', '/inbox/'],
    ['D7', '/inbox'],
    ['D7', '/'],
    ['D4', '/drop'],
  ])('%s of the folder %s', async (endpoint, path) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([
      400,
      'request_syntax',
      'No filename specified',
    ]);
  });

  test('D3 with a part without a filename', async () => {
    const form = new FormData();
    form.append('file', 'text');
    const answer = await site.acme.post('/2.0/files/inbox', { multipart: form });
    expect(failureOf(answer)).toEqual([400, 'request_syntax', 'No filename specified']);
  });
});

describe('400 request_syntax: Missing parameters or syntax error', () => {
  const multipart = { 'content-type': 'multipart/form-data; boundary=b' };
  const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="m.txt"\r\n\r\nx\r\n';
  const textPart = (value: string) => `--b\r\nContent-Disposition: form-data; name="file"\r\n\r\n${value}\r\n`;
  const metadataPart = (value: string) => `--b\r\nContent-Disposition: form-data; name="metadata"\r\n\r\n${value}\r\n`;

  test.each<[string, Record<string, string>, string]>([
    ['no content type and no body', {}, ''],
    ['no content type', {}, `${part}--b--\r\n`],
    ['a content type without a boundary', { 'content-type': 'multipart/form-data' }, part],
    ['an empty form', multipart, '--b--\r\n'],
    ['an empty body', multipart, ''],
    ['a form that is truncated in its file', multipart, part],
    ['a form that is truncated in a header', multipart, '--b\r\nContent-Disp'],
    ['a malformed part header', multipart, '--b\r\n\0\r\n\r\nx\r\n--b--\r\n'],
    ['a file of another name', multipart, `${part.replace('"file"', '"other"')}--b--\r\n`],
    ['two files', multipart, `${part}${part}--b--\r\n`],
    ['a file twice, once as a text', multipart, `${part}${textPart('x')}--b--\r\n`],
    ['a file twice, first as a text', multipart, `${textPart('x')}${part}--b--\r\n`],
    ['metadata twice', multipart, `${part}${metadataPart('{}').repeat(2)}--b--\r\n`],
    ['metadata that is not UTF-8', multipart, `${part}${metadataPart('{"A":"\xff"}')}--b--\r\n`],
    ['a text for a file that is not UTF-8', multipart, `${textPart('\xff')}--b--\r\n`],
    ['too many fields', multipart, `${part}${metadataPart('{}').repeat(40)}--b--\r\n`],
    ['a field that is too long', multipart, `${part}${metadataPart('x'.repeat(1_100_000))}--b--\r\n`],
  ])('D2 and D3 with %s; nothing is stored', async (_what, headers, body) => {
    const bytes = new Uint8Array(Buffer.from(body, 'latin1'));
    for (const answer of [
      await site.acme.put('/2.0/files/inbox/m.txt', { headers, body: bytes }),
      await site.acme.post('/2.0/files/inbox', { headers, body: bytes }),
    ]) {
      expect(failureOf(answer)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    }
    expect((await site.acme.get('/2.0/files/inbox/m.txt')).status).toBe(404);
  });

  test.each([
    ['more than 16 texts', metadataPart('x').replace('metadata', 'other').repeat(17)],
    ['more than 1048576 bytes', metadataPart('x'.repeat(1_100_000))],
    ['more than 255 characters', part.replace('\r\n\r\n', `\r\nContent-Type: text/${'x'.repeat(255)}\r\n\r\n`)],
  ])('a form over a limit is refused with the limit: %s', async (limit, body) => {
    const answer = await site.acme.put('/2.0/files/inbox/m.txt', {
      headers: multipart,
      body: Buffer.from(`${body}--b--\r\n`),
    });
    expect(failureOf(answer)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    expect((answer.json() as { detail: string }).detail).toContain(limit);
  });

  test.each([
    '',
    'no JSON',
    '{"a":1}',
    '{"a":true}',
    '[1]',
    '"text"',
    '{"a":{"b":1}}',
    '{"a":null}',
    '{"a":"\\u0000"}',
    '{"a":"\\ud800"}',
    `{"${'k'.repeat(300)}":"v"}`,
    '{"__proto__":"x"}',
    '{"SPFB_SP2_FILE_SYS_MD.SENDER":"me"}',
    '{"SPFB_SP2_FILE_SYS_MD.NO_SUCH_KEY":"x"}',
    '{"SPFB_SP2_FILE_SYS_MD.EXPIRY_DATE":"tomorrow"}',
  ])('D2, D3 and D6 with the metadata %j; nothing is stored', async (metadata) => {
    const multipart = formOf('x', { name: 'bad-meta.txt', metadata });
    for (const stored of [
      await site.acme.put('/2.0/files/inbox/bad-meta.txt', { multipart }),
      await site.acme.post('/2.0/files/inbox', { multipart }),
    ]) {
      expect(failureOf(stored)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    }
    expect((await site.acme.get('/2.0/files/inbox/bad-meta.txt')).status).toBe(404);
    const headers = { 'content-type': 'application/json' };
    const updated = await site.acme.post('/2.0/metadata/inbox/there.txt', { headers, body: metadata });
    expect(failureOf(updated)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
  });

  test('D6 with the key __proto__, which is named', async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await site.acme.post('/2.0/metadata/inbox/there.txt', {
      headers,
      body: '{"A":"1","__proto__":"x"}',
    });
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining('__proto__') as unknown });
  });

  test('D6 without a content type', async () => {
    const answer = await site.acme.post('/2.0/metadata/inbox/there.txt', { body: new Uint8Array([123, 125]) });
    expect(failureOf(answer)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
  });

  test.each<[EndpointName, string]>([
    ['D2', '/inbox/a%00b'],
    ['D3', '/in%0Abox'],
    ['D4', `/inbox/${'a'.repeat(256)}`],
    ['D6', '/inbox/%C2%85'],
    ['D7', '/inbox//x'],
    ['D8', '/a//b'],
    ['D9', `/${'a/'.repeat(2_100)}`],
    ['D2', '/inbox/a%2Fb.txt'],
    ['D2', '/inbox%2Fa/b.txt'],
    ['D3', '/%2F%2Finbox'],
    ['D4', '/inbox%2f%2fthere.txt'],
    ['D6', '/inbox/there.txt%2F'],
    ['D7', '/inbox/..%2Finbox%2Fthere.txt'],
    ['D7', '/..%2Finbox%2Fthere.txt'],
    ['D4', '/inbox/.%2E%2fthere.txt'],
    ['D4', '/inbox%2F.%2E%2fthere.txt'],
    ['D4', '/inbox%2F%00'],
    ['D8', '/inbox%2F%2F'],
    ['D9', '/%2F%2F'],
    ['D8', '/inbox?type=file'],
    ['D8', '/inbox?filter=%00'],
    ['D9', '/inbox?limit=-1'],
    ['D9', '/inbox?limit=1e3'],
    ['D9', '/inbox?limit=99999999999999999999'],
    ['D9', '/inbox?start=x'],
    ['D9', '/inbox?start=2147483648'],
    ['D2', '//inbox/a.txt'],
    ['D3', '//inbox'],
    ['D9', '//inbox'],
    ['D4', '/inbox/%zz'],
    ['D7', '/inbox/%FF'],
    ['D8', '/%C3/%A9'],
    ['D9', '/inbox?sort=colour'],
    ['D9', '/inbox?direction=up'],
    ['D9', '/inbox?attributes=size,colour'],
    ['D9', '/inbox?limit=1&limit=2'],
  ])('%s of %s', async (endpoint, path) => {
    expect(failureOf(await requests[endpoint](site.acme, path))).toEqual([
      400,
      'request_syntax',
      'Missing parameters or syntax error',
    ]);
  });
});

test.each<[EndpointName, string, string]>([
  ['D4', '/inbox/a%2Fb', 'slash'],
  ['D5', '/inbox/a%2Fb', 'slash'],
  ['D4', '//inbox/there.txt', 'not empty'],
  ['D4', '/inbox/%zz', 'percent-encoding'],
  ['D9', '/inbox?start=2147483648', 'at most 999999999'],
  ['D9', '/inbox?limit=1e3', 'whole number'],
])('%s of %s names the error: %s', async (endpoint, path, told) => {
  const { detail } = (await requests[endpoint](site.acme, path)).json() as { detail: string };
  expect(detail).toContain(told);
});

/** Unchanged: `fetch` would resolve the dots itself. */
async function statusOf(path: string): Promise<number | undefined> {
  const cookie = ['sp-http-usr', 'sp-http-ses'].map((name) => `${name}=${site.acme.cookies.get(name)}`).join('; ');
  const sent = request(site.peer.url, { path, headers: { cookie } }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test.each(['..', '.', '%2e%2e', '.%2E', '%2e', '..%2f', '%c0%ae%c0%ae'])(
  'a path with the segment %s, sent unchanged, is refused',
  async (segment) => {
    expect(await statusOf('/2.0/metadata/inbox/there.txt')).toBe(200);
    expect(await statusOf(`/2.0/metadata/inbox/${segment}/inbox/there.txt`)).toBe(400);
  },
);

describe('400 syntax_error: missing param or syntax error', () => {
  test.each(['/inbox', '/inbox/', '/', '', '/inbox/a%00b', '/inbox//x', '/inbox%2F..%2Fthere.txt', '/inbox/%zz'])(
    'D5 of %s',
    async (path) => {
      expect(failureOf(await requests.D5(site.acme, path))).toEqual([
        400,
        'syntax_error',
        'missing param or syntax error',
      ]);
    },
  );
});
