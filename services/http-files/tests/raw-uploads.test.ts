import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { failureOf } from './endpoint-requests.ts';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme'] });

describe('a PUT whose body is not a form', () => {
  test('stores the body unchanged, with its content type', async () => {
    const content = randomBytes(3_000_001);
    const headers = { 'content-type': 'Image/PNG; note=x' };
    const answer = await site.acme.put('/2.0/files/inbox/raw.png', { body: new Uint8Array(content), headers });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('x-file-size')).toBe('3000001');
    const stored = await site.acme.get('/2.0/files/inbox/raw.png');
    expect(Buffer.compare(Buffer.from(stored.bytes), content)).toBe(0);
    expect(stored.headers.get('content-type')).toBe('image/png');
    expect(stored.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  test('may be empty, if it has a content type', async () => {
    const headers = { 'content-type': 'text/plain' };
    expect((await site.acme.put('/2.0/files/inbox/empty.txt', { body: '', headers })).status).toBe(201);
    expect((await site.acme.get('/2.0/files/inbox/empty.txt')).bytes.length).toBe(0);
  });

  test('is stored as application/octet-stream if it has no content type', async () => {
    for (const content of [randomBytes(1), randomBytes(70_001)]) {
      const answer = await site.acme.put('/2.0/files/inbox/untyped.bin', { body: new Uint8Array(content) });
      expect(answer.status).toBe(201);
      const stored = await site.acme.get('/2.0/files/inbox/untyped.bin');
      expect(Buffer.compare(Buffer.from(stored.bytes), content)).toBe(0);
      expect(stored.headers.get('content-type')).toBe('application/octet-stream');
    }
  });

  test('is refused if it is a form whose content type is missing; nothing is stored', async () => {
    const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--\r\n';
    const answer = await site.acme.put('/2.0/files/inbox/lost-type.txt', { body: Buffer.from(body) });
    expect(failureOf(answer)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    expect((await site.acme.get('/2.0/files/inbox/lost-type.txt')).status).toBe(404);
  });

  test('that is a range of a file is refused with a pointer to resumable uploads', async () => {
    const headers = { 'content-type': 'text/plain', 'content-range': 'bytes 0-0/10' };
    const answer = await site.acme.put('/2.0/files/inbox/odd.txt', { body: 'x', headers });
    expect((answer.json() as { detail: string }).detail).toContain('resumable upload with POST /2.0/uploads');
  });

  test('may be JSON, an urlencoded form or another multipart message: any of these is file content', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/mixed; boundary=b']) {
      await site.acme.put('/2.0/files/inbox/data', { body: '{"a":1', headers: { 'content-type': type } });
      expect((await site.acme.get('/2.0/files/inbox/data')).text).toBe('{"a":1');
    }
  });

  test.each([
    ['a range of a file', { 'content-range': 'bytes 0-0/10' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
    ['an invalid content type', { 'content-type': 'text' }],
  ])('is refused if it is %s; nothing is stored', async (_what, headers) => {
    const sent = { 'content-type': 'text/plain', ...headers };
    const answer = await site.acme.put('/2.0/files/inbox/odd.txt', { body: 'x', headers: sent });
    expect(failureOf(answer)).toEqual([400, 'request_syntax', 'Missing parameters or syntax error']);
    expect((await site.acme.get('/2.0/files/inbox/odd.txt')).status).toBe(404);
  });

  test('is refused without the permission, with a response while the client is still sending', async () => {
    const headers = { 'content-type': 'text/plain' };
    const answer = await site.acme.put('/2.0/files/outbox/x', { body: new Uint8Array(8_000_000), headers });
    expect(failureOf(answer)).toEqual([403, 'authorization', 'No write permission']);
  });

  test('reports by its path that its folder was deleted meanwhile', async () => {
    await site.acme.put('/2.0/folders/inbox/gone');
    const gate = Promise.withResolvers<void>();
    const parts = ['begun', 'ended'];
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const part = parts.shift();
        if (part === 'ended') await gate.promise;
        if (part === undefined) controller.close();
        else controller.enqueue(new TextEncoder().encode(part));
      },
    });
    const upload = site.acme.put('/2.0/files/inbox/gone/x', { body, headers: { 'content-type': 'text/plain' } });
    const begun = async () => (await site.rig.database.query('select from filebox.uploads')).length;
    await expect.poll(begun).toBe(1);
    expect((await site.acme.delete('/2.0/folders/inbox/gone?recursive=true')).status).toBe(200);
    gate.resolve();
    expect(failureOf(await upload)).toEqual([404, 'io', "Path '/inbox/gone' doesn't exist"]);
  });

  test('is stored before pipelined requests are processed', async () => {
    const address = '/2.0/files/inbox/ahead.txt';
    const of = (method: string, head = '', body = '') =>
      [`${method} ${address} HTTP/1.1`, 'Host: x', `Cookie: ${site.acme.cookies.header()}${head}`, '', body].join(
        '\r\n',
      );
    const stored = of('PUT', '\r\nContent-Type: text/plain\r\nContent-Length: 5', 'ahead');
    const socket = connect(Number(new URL(site.peer.url).port), '127.0.0.1');
    socket.write(stored + of('GET') + of('DELETE') + of('GET', '\r\nConnection: close'));
    let received = '';
    for await (const part of socket.setEncoding('utf8')) received += part;
    expect(received.match(/(?<=HTTP\/1\.1 )\d+/gu)).toEqual(['201', '200', '200', '404']);
  });

  test('that is interrupted stores nothing', async () => {
    const socket = connect(Number(new URL(site.peer.url).port), '127.0.0.1');
    const head = ['PUT /2.0/files/inbox/cut.bin HTTP/1.1', 'Host: x', `Cookie: ${site.acme.cookies.header()}`];
    socket.write([...head, 'Content-Type: a/b', 'Content-Length: 1000000', '', 'begun'].join('\r\n'));
    const begun = async () => (await site.rig.database.query('select from filebox.uploads')).length;
    await expect.poll(begun).toBe(1);
    socket.destroy();
    await expect.poll(begun).toBe(0);
    expect((await site.acme.get('/2.0/files/inbox/cut.bin')).status).toBe(404);
  });
});
