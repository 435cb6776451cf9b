import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { formOf } from './form-of.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex'] });

const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u) as string;
const fileset = expect.stringMatching(/^[1-9]\d*$/u) as string;

describe('D2 PUT /files/<path>/<file>', () => {
  test('stores the content under the name in the address: 201 with the fileset', async () => {
    const answer = await site.acme.put('/2.0/files/inbox/d2.csv', { multipart: formOf('a,b\n', { type: 'text/csv' }) });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({ result: 'ok', timestamp, message: 'Upload successful', fileset });
    expect(answer.headers.get('x-dataflow-id')).toMatch(/./u);
    expect((await site.acme.get('/2.0/files/inbox/d2.csv')).text).toBe('a,b\n');
  });

  test('replaces a file of that name, which gets a new fileset', async () => {
    const first = await site.acme.put('/2.0/files/inbox/again.txt', { multipart: formOf('one') });
    const second = await site.acme.put('/2.0/files/inbox/again.txt', { multipart: formOf('two') });
    expect((second.json() as { fileset: string }).fileset).not.toBe((first.json() as { fileset: string }).fileset);
    expect((await site.acme.get('/2.0/files/inbox/again.txt')).text).toBe('two');
  });

  test('accepts names with special characters, and an empty file', async () => {
    const name = encodeURIComponent('řeka 100% #1?.txt');
    expect((await site.acme.put(`/2.0/files/inbox/${name}`, { multipart: formOf('') })).status).toBe(201);
    const answer = await site.acme.get(`/2.0/files/inbox/${name}`);
    expect(answer.status).toBe(200);
    expect(answer.bytes.length).toBe(0);
    expect(answer.headers.get('content-disposition')).toContain(`filename*=UTF-8''${name}`);
  });

  test('uses the name in the address for a part without one, which is text, and its metadata', async () => {
    const form = new FormData();
    form.append('metadata', '{"A":"1"}');
    form.append('file', 'žluť');
    expect((await site.acme.put('/2.0/files/inbox/text.txt', { multipart: form })).status).toBe(201);
    const stored = await site.acme.get('/2.0/files/inbox/text.txt');
    expect([stored.text, stored.headers.get('content-type')]).toEqual(['žluť', 'text/plain']);
    expect((await site.acme.get('/2.0/metadata/inbox/text.txt')).json()).toMatchObject({ metadata: { A: '1' } });
  });

  test('stores every byte of a big file', async () => {
    const content = randomBytes(7_000_003);
    const answer = await site.acme.put('/2.0/files/inbox/big.bin', { multipart: formOf(new Uint8Array(content)) });
    expect(answer.status).toBe(201);
    const { bytes } = await site.acme.get('/2.0/files/inbox/big.bin');
    expect(Buffer.compare(Buffer.from(bytes), content)).toBe(0);
  });
});

describe('D3 POST /files/<path>', () => {
  test('stores under the filename of the part, with the metadata after it', async () => {
    const metadata = JSON.stringify({ BUSINESS_UNIT: 'Accounting', 'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': 'March' });
    const form = formOf('x', { name: '../../etc/řeka.txt', type: 'text/plain', metadata });
    const answer = await site.acme.post('/2.0/files/inbox', { multipart: form });
    expect(answer.status).toBe(201);
    expect(answer.json()).toMatchObject({ result: 'ok', message: 'Upload successful', fileset });
    const { metadata: known } = (
      await site.acme.get(`/2.0/metadata/inbox/${encodeURIComponent('řeka.txt')}`)
    ).json() as {
      metadata: Record<string, string>;
    };
    expect(known).toMatchObject({ BUSINESS_UNIT: 'Accounting', description: 'March', datatype: 'text/plain' });
  });

  test('stores a file whose part has no type as application/octet-stream', async () => {
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="untyped"\r\n\r\nx\r\n--b--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect((await site.globex.post('/2.0/files/data', { body, headers })).status).toBe(201);
    const { headers: stored } = await site.globex.get('/2.0/files/data/untyped');
    expect(stored.get('content-type')).toBe('application/octet-stream');
  });

  test('accepts a slash at the end of the path, and no metadata', async () => {
    const answer = await site.globex.post('/2.0/files/data/', { multipart: formOf('x', { name: 'plain.txt' }) });
    expect(answer.status).toBe(201);
    expect((await site.globex.get('/2.0/files/data/plain.txt')).text).toBe('x');
  });
});

describe('D4 GET /files/<path>/<file>', () => {
  test('returns the bytes with the stored content type, the length and the name', async () => {
    await site.acme.put('/2.0/files/inbox/d4.json', { multipart: formOf('{"a":1}', { type: 'application/json' }) });
    const answer = await site.acme.get('/2.0/files/inbox/d4.json');
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('{"a":1}');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('content-length')).toBe('7');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename=d4.json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('returns compressed content as it was stored', async () => {
    const content = gzipSync('hello');
    await site.globex.put('/2.0/files/data/h.gz', {
      multipart: formOf(new Uint8Array(content), { type: 'application/gzip' }),
    });
    const answer = await site.globex.get('/2.0/files/data/h.gz');
    expect(answer.headers.get('content-encoding')).toBeNull();
    expect(Buffer.compare(Buffer.from(answer.bytes), content)).toBe(0);
  });

  test('answers a range, HEAD, and 304 if the client already has the file', async () => {
    await site.acme.put('/2.0/files/inbox/range.txt', { multipart: formOf('0123456789') });
    const address = '/2.0/files/inbox/range.txt';
    const range = async (value: string) => {
      const { status, text, headers } = await site.acme.get(address, { headers: { range: value } });
      return [status, text, headers.get('content-range')];
    };
    expect(await range('bytes=2-4')).toEqual([206, '234', 'bytes 2-4/10']);
    expect(await range('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10']);
    expect(await range('bytes=-2')).toEqual([206, '89', 'bytes 8-9/10']);
    expect(await range('bytes=4-2')).toEqual([200, '0123456789', null]);
    expect((await site.acme.get(address, { headers: { range: 'bytes=10-' } })).status).toBe(416);
    const head = await site.acme.request('HEAD', address, { headers: { range: 'bytes=0-1' } });
    expect([head.status, head.headers.get('content-length'), head.text]).toEqual([200, '10', '']);
    const etag = head.headers.get('etag') ?? '';
    for (const ifNoneMatch of [etag, '*', `"other", ${etag}`, `W/${etag}`]) {
      const known = await site.acme.get(address, { headers: { 'if-none-match': ifNoneMatch } });
      expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await site.acme.get(address, { headers: { 'if-none-match': '"other"' } })).status).toBe(200);
    expect((await site.acme.get(address, { headers: { range: 'bytes=0-1', 'if-range': '"other"' } })).status).toBe(200);
  });
});

test('a 304 has the present content type of the same bytes', async () => {
  const address = '/2.0/files/inbox/retyped.txt';
  const put = (type: string) => site.acme.put(address, { body: 'a,b', headers: { 'content-type': type } });
  const tags = [(await put('text/plain')).headers.get('etag'), (await put('text/csv')).headers.get('etag')];
  expect(tags[0]).toBe(tags[1]);
  const answer = await site.acme.get(address, { headers: { 'if-none-match': tags[0] ?? '' } });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([304, 'text/csv']);
});

describe('D5 DELETE /files/<path>/<file>', () => {
  test('removes the file permanently', async () => {
    const { fileset: number } = (await site.acme.put('/2.0/files/inbox/d5.txt', { multipart: formOf('x') })).json() as {
      fileset: string;
    };
    const answer = await site.acme.delete('/2.0/files/inbox/d5.txt');
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ result: 'ok', timestamp, message: 'File deleted', fileset: number });
    expect((await site.acme.get('/2.0/files/inbox/d5.txt')).status).toBe(404);
  });
});

describe('D6 POST /metadata/<path>/<file>', () => {
  test('adds keys and replaces the values of existing keys; both shapes are returned', async () => {
    const put = await site.acme.put('/2.0/files/inbox/meta.csv', { multipart: formOf('abc', { type: 'text/csv' }) });
    const { fileset: number } = put.json() as { fileset: string };
    const address = '/2.0/metadata/inbox/meta.csv';
    await site.acme.post(address, { json: { A: '1', B: '2', description: 'my own' } });
    const answer = await site.acme.post(address, {
      json: {
        B: 'two',
        C: '3',
        'SPFB_SP2_FILE_SYS_MD.CORRELATION_ID': 'order-17',
        'SPFB_SP2_FILE_SYS_MD.DESTINATION_FILENAME': 'INV.csv',
        'SPFB_SP2_FILE_SYS_MD.DESCRIPTION': 'of the system',
      },
    });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual({ result: 'ok', timestamp, message: 'Metadata updated', fileset: number });
    const attributes = {
      dstFileName: 'INV.csv',
      size: '3',
      correlationId: 'order-17',
      putDate: timestamp,
      firstReadDate: '',
      lastModifiedTime: timestamp,
      lastAccessTime: '',
      creationTime: timestamp,
      datatype: 'text/csv',
      description: 'of the system',
    };
    expect((await site.acme.get(address)).json()).toEqual({
      id: '/inbox/meta.csv',
      filename: 'meta.csv',
      fileset: Number(number),
      owner: 'acme',
      directory: false,
      attributes,
      metadata: expect.objectContaining({
        ...attributes,
        A: '1',
        B: 'two',
        C: '3',
        'SPFB_SP2_FILE_SYS_MD.CORRELATION_ID': 'order-17',
        'SPFB_SP2_FILE_SYS_MD.FILE_LENGTH': '3',
      }) as unknown,
    });
  });
});

describe('D7 GET /metadata/<path>/<file>', () => {
  test('returns the file element, and metadata of its attributes, system keys and user keys', async () => {
    const metadata = JSON.stringify({ A: '1', 'SPFB_SP2_FILE_SYS_MD.PRIORITY': '5' });
    const put = await site.acme.post('/2.0/files/inbox', { multipart: formOf('x', { name: 'd7.txt', metadata }) });
    const { fileset: number } = put.json() as { fileset: string };
    const answer = await site.acme.get('/2.0/metadata/inbox/d7.txt');
    expect(answer.status).toBe(200);
    const element = { id: '/inbox/d7.txt', filename: 'd7.txt', owner: 'acme', directory: false };
    expect(answer.json()).toMatchObject({
      ...element,
      fileset: Number(number),
      attributes: { size: '1', correlationId: '', putDate: timestamp },
      metadata: { A: '1', size: '1', 'SPFB_SP2_FILE_SYS_MD.PRIORITY': '5', 'SPFB_SP2_FILE_SYS_MD.SENDER': 'acme' },
    });
  });

  test('a download sets the read dates', async () => {
    await site.acme.put('/2.0/files/inbox/read.txt', { multipart: formOf('x') });
    await site.acme.get('/2.0/files/inbox/read.txt');
    await expect
      .poll(
        async () => ((await site.acme.get('/2.0/metadata/inbox/read.txt')).json() as { attributes: object }).attributes,
      )
      .toMatchObject({ firstReadDate: timestamp, lastAccessTime: timestamp });
  });
});
