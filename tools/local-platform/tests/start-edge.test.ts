import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEdge } from '../src/edge/start-edge.ts';

type Respond = (status: number, body: string, headers?: Record<string, string | string[]>) => void;

async function bodyOf(message: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of message.setEncoding('utf8')) text += String(chunk);
  return text;
}

describe('the local edge', () => {
  /** Stands in for http-files; the other services are not up. */
  let service: Server;
  let edge: Awaited<ReturnType<typeof startEdge>>;
  let answer: (req: IncomingMessage, respond: Respond) => void;

  beforeEach(async () => {
    service = createServer({ maxHeaderSize: 32 * 1024 }, (req, res) =>
      answer(req, (status, body, headers) => res.writeHead(status, headers).end(body)),
    );
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    const closed = 9;
    edge = await startEdge({
      port: 0,
      servicePorts: {
        'http-files': typeof address === 'object' && address !== null ? address.port : closed,
        audit: closed,
        'job-manager': closed,
        'sftp-gateway': closed,
      },
    });
  });
  afterEach(async () => {
    await edge[Symbol.asyncDispose]();
    service.closeAllConnections();
    service.close();
  });
  const client = () => createHttpClient(`http://127.0.0.1:${edge.port}`);

  it('forwards method, target, body and response, and reports the real address of the client', async () => {
    answer = (req, respond) =>
      void bodyOf(req).then((body) => {
        const seen = { method: req.method, url: req.url, body, headers: req.headers };
        respond(201, JSON.stringify(seen), { 'set-cookie': ['a=1', 'b=2'] });
      });
    const response = await client().request('DELETE', '/2.0/files/a%20b?x=%2F', {
      json: { text: 'ü' },
      headers: { 'x-forwarded-for': '203.0.113.9' },
    });
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(response.json()).toMatchObject({
      method: 'DELETE',
      url: '/2.0/files/a%20b?x=%2F',
      body: '{"text":"ü"}',
      headers: {
        host: `127.0.0.1:${edge.port}`,
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': `127.0.0.1:${edge.port}`,
        'x-forwarded-proto': 'http',
      },
    });
  });

  it('redirects only browsers to the page of the file interface', async () => {
    const visit = (method: string, target: string) =>
      fetch(`http://127.0.0.1:${edge.port}${target}`, { method, redirect: 'manual' });
    const shown = await visit('GET', '/?from=mail');
    expect([shown.status, shown.headers.get('location'), await shown.text()]).toEqual([302, '/ui/', '']);
    expect((await visit('HEAD', '/')).status).toBe(302);
    expect((await visit('POST', '/')).status).toBe(404);
    expect((await visit('GET', '/index.html')).status).toBe(404);
  });

  it('does not forward hop-by-hop headers', async () => {
    answer = (req, respond) => respond(200, JSON.stringify(req.headers));
    const headers = { connection: 'x-private', 'x-private': '1', te: 'trailers' };
    const outgoing = request({ port: edge.port, path: '/2.0/files/a', headers }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    const seen = await bodyOf(response);
    expect(seen).not.toContain('x-private');
    expect(seen).not.toContain('trailers');
  });

  it('streams: the response begins before the request has ended', async () => {
    answer = (req, respond) => req.once('data', () => respond(200, 'early'));
    const outgoing = request({ port: edge.port, method: 'PUT', path: '/2.0/files/big' });
    outgoing.on('error', () => {});
    outgoing.write('first bytes');
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    await expect(bodyOf(response)).resolves.toBe('early');
    outgoing.destroy();
  });

  it('forwards a refusal that is sent before the request has been read', async () => {
    answer = (_, respond) => respond(413, 'too large');
    const response = await client().put('/2.0/files/big', { body: new Uint8Array(8 * 1024 * 1024) });
    expect(response.status).toBe(413);
    expect(response.text).toBe('too large');
  });

  it('reads on after such a refusal, and then disconnects who sends still: a browser looks for the answer only then', async () => {
    answer = (_, respond) => respond(409, 'not here');
    const socket = connect(edge.port, '127.0.0.1');
    let reply = '';
    socket.setEncoding('utf8').on('data', (text: string) => void (reply += text));
    socket.on('error', () => {});
    socket.write('PATCH /2.0/uploads/big HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n');
    const block = Buffer.alloc(1024 * 1024);
    let sent = 0;
    const send = (): void => {
      socket.write(block, (error) => {
        if (error) return;
        sent += block.length;
        send();
      });
    };
    send();
    // Not `once`, which the reset fails.
    await new Promise((resolve) => socket.once('close', resolve));
    expect(reply).toMatch(/^HTTP\/1\.1 409 .*not here/su);
    expect(sent).toBeGreaterThanOrEqual(16 * block.length);
  });

  it('asks the service before it sends 100 Continue', async () => {
    service.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => {
      if (req.url === '/2.0/files/no') {
        res.writeHead(403).end('no');
        return;
      }
      res.writeContinue();
      void bodyOf(req).then((body) => res.end(body));
    });
    const ask = async (target: string) => {
      const headers = { expect: '100-continue', 'content-length': '4' };
      const outgoing = request({ port: edge.port, method: 'PUT', path: target, headers });
      outgoing.on('error', () => {});
      let told = false;
      outgoing.on('continue', () => {
        told = true;
        outgoing.end('body');
      });
      outgoing.flushHeaders();
      const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
      return [response.statusCode, await bodyOf(response), told, response.headers.connection];
    };
    expect(await ask('/2.0/files/no')).toEqual([403, 'no', false, 'close']);
    expect(await ask('/2.0/files/yes')).toEqual([200, 'body', true, 'keep-alive']);
  });

  it('ignores an unknown expectation', async () => {
    answer = (req, respond) => respond(200, req.url ?? '');
    const outgoing = request({ port: edge.port, path: '/2.0/files/a', headers: { expect: 'bogus' } }).end();
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect([response.statusCode, await bodyOf(response)]).toEqual([200, '/2.0/files/a']);
  });

  it('forwards the reason phrase of the service', async () => {
    answer = (req) => req.socket.end('HTTP/1.1 460 Checksum Mismatch\r\ncontent-length: 0\r\n\r\n');
    const { status, statusText } = await fetch(`http://127.0.0.1:${edge.port}/2.0/uploads/x`, { method: 'PATCH' });
    expect([status, statusText]).toEqual([460, 'Checksum Mismatch']);
  });

  it('disconnects the caller if the service breaks off in the middle of its response', async () => {
    answer = (req) => req.socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    await expect(client().get('/2.0/files/a')).rejects.toThrow('terminated');
  });

  it('notifies the service when the caller disconnects', async () => {
    const arrived = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    answer = (req) => {
      req.socket.once('close', () => gone.resolve());
      arrived.resolve();
    };
    const outgoing = request({ port: edge.port, path: '/2.0/files/slow' }).end();
    outgoing.on('error', () => {});
    await arrived.promise;
    outgoing.destroy();
    await expect(gone.promise).resolves.toBeUndefined();
  });

  it('responds with 502 as problem+json if the service is down', async () => {
    const response = await client().get('/job-manager/jobs');
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(problemSchema.parse(response.json())).toMatchObject({
      code: 'service_unavailable',
      detail: 'job-manager is not up',
    });
  });

  it('responds with 502 as a result body if http-files is down', async () => {
    service.close();
    const response = await client().get('/2.0/directories');
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(fileFailureSchema.parse(response.json())).toMatchObject({ errorType: 'internal' });
  });

  it('forwards an address of the maximum length of the services', async () => {
    answer = (req, respond) => respond(200, String(req.url?.length));
    const response = await client().get(`/2.0/files/${'a'.repeat(20_000)}`);
    expect(response.text).toBe(String('/2.0/files/'.length + 20_000));
  });

  it.each([
    ['headers that are too large', `GET /${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, 'headers_too_large'],
    ['several hosts', 'GET /audit HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, 'validation_failed'],
    ['input that is not HTTP', 'HELO edge\r\n\r\n', 400, 'malformed_body'],
  ])('responds to %s with problem+json', async (_what, text, status, code) => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.setEncoding('utf8').write(text);
    const [reply] = (await once(socket, 'data')) as [string];
    socket.destroy();
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toContain('application/problem+json');
    expect(problemSchema.parse(JSON.parse(body))).toMatchObject({ status, code });
  });

  it('responds to an address of http-files that is too long with a result body', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    socket.setEncoding('utf8').write(`GET /2.0/files/${'a'.repeat(40_000)} HTTP/1.1\r\nHost: a\r\n\r\n`);
    const [reply] = (await once(socket, 'data')) as [string];
    socket.destroy();
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(head).toContain('HTTP/1.1 431 ');
    expect(fileFailureSchema.parse(JSON.parse(body))).toMatchObject({ errorType: 'request_syntax' });
  });

  it('responds with 404 as problem+json to an unknown address', async () => {
    const response = await client().get('/health/ready');
    expect(response.status).toBe(404);
    expect(problemSchema.parse(response.json())).toMatchObject({ code: 'route_not_found' });
  });
});
