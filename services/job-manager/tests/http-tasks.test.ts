import { createHash, createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectionRig } from './connection-rig.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly sha256: string;
  readonly body: string;
}

const rig = connectionRig();
const received: Received[] = [];
let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  const hash = createHash('sha256');
  let body = '';
  request.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    if (body.length < 10_000) body += chunk.toString();
  });
  request.on('end', () => {
    const { method, url, headers } = request;
    received.push({ method, url, headers, sha256: hash.digest('hex'), body });
    answer(response);
  });
});
const retry = { attempts: 3, delaySeconds: 0 };
const variable = (name: string): string => `\${{ variables.${name} }}`;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await rig.setSecret('hook-key', 'the key of the hook');
  const http = { type: 'http', url: `http://127.0.0.1:${port}/api` };
  await rig.configure(
    [
      { ...http, name: 'hooks', signingKey: 'secret://hook-key' },
      { ...http, name: 'plain' },
    ],
    {
      get: { uses: 'http-request', with: { connection: 'plain', path: variable('path') }, retry },
      fetch: { uses: 'http-request', with: { connection: 'plain', path: '/data', target: '/inbox/data.json' }, retry },
      send: {
        uses: 'http-request',
        with: {
          connection: 'hooks',
          method: 'PUT',
          path: '/files/x?a=1',
          source: '/outbox/big',
          headers: 'X-A: 1\nX-B: 2',
        },
        retry,
      },
      hook: {
        uses: 'webhook',
        with: { connection: 'hooks', path: '/hook', event: 'file.delivered', data: '{"path":"/inbox/ä"}' },
        retry,
      },
      'unsigned-hook': { uses: 'webhook', with: { connection: 'plain', event: 'x' }, retry },
    },
  );
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received.length = 0;
  answer = (response) => void response.end('fine');
});

const first = (): Received => {
  const [request] = received;
  if (!request) throw new Error('nothing was received');
  return request;
};

describe('http-request', () => {
  it('gives the status and the text of the response', async () => {
    const job = await rig.run('get', 'COMPLETED', { path: '/status' });
    expect(job.steps?.[0]?.outputs).toMatchObject({ status: '200', body: 'fine' });
    expect(first()).toMatchObject({ method: 'GET', url: '/api/status' });
  });

  it('cuts a long text, and keeps what PostgreSQL cannot store out of it', async () => {
    answer = (response) => void response.end(Buffer.concat([Buffer.from('\0\uD800'), Buffer.alloc(200_000, 'x')]));
    const job = await rig.run('get', 'COMPLETED', { path: '' });
    expect(job.steps?.[0]?.outputs['body']?.length).toBeGreaterThan(60_000);
    expect(job.steps?.[0]?.outputs['body']?.length).toBeLessThanOrEqual(65_536);
  });

  it('writes the response into a file', async () => {
    answer = (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"a":1}');
    const job = await rig.run('fetch', 'COMPLETED');
    expect(job.steps?.[0]?.outputs).toMatchObject({ status: '200', path: '/inbox/data.json', size: '7' });
    expect((await rig.platform.read('/inbox/data.json'))?.toString()).toBe('{"a":1}');
  });

  it('writes nothing if the response is cut off', async () => {
    answer = (response) => {
      response.writeHead(200, { 'Content-Length': '100' });
      response.write('half', () => response.socket?.destroy());
    };
    const content = await rig.platform.read('/inbox/data.json');
    const job = await rig.run('fetch', 'ERROR');
    expect(job.steps?.[0]).toMatchObject({ attempts: 3 });
    expect(await rig.platform.read('/inbox/data.json')).toEqual(content);
  });

  it('sends a file of any size, signed, in a request whose key is the same for every attempt', async () => {
    const content = randomBytes(5_000_000);
    await rig.platform.deliver('/outbox/big', content);
    answer = (response) => void response.writeHead(received.length < 3 ? 503 : 200).end();
    const job = await rig.run('send', 'COMPLETED');
    expect(job.steps?.[0]?.attempts).toBe(3);
    expect(first()).toMatchObject({ method: 'PUT', url: '/api/files/x?a=1', headers: { 'x-a': '1', 'x-b': '2' } });
    expect(new Set(received.map(({ sha256 }) => sha256))).toEqual(
      new Set([createHash('sha256').update(content).digest('hex')]),
    );
    expect(new Set(received.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = first().headers;
    const hmac = createHmac('sha256', 'the key of the hook')
      .update(`${String(id)}.${String(at)}.`)
      .update(content);
    expect(signature).toBe(`v1,${hmac.digest('base64')}`);
  });

  it.each([
    [400, 1],
    [401, 1],
    [404, 1],
    [408, 3],
    [429, 3],
    [500, 3],
    [503, 3],
  ])('after the status %i it is tried %i times', async (status, attempts) => {
    answer = (response) => void response.writeHead(status).end('not\0 today\r\nplease');
    const job = await rig.run('get', 'ERROR', { path: '' });
    expect(job.steps?.[0]).toMatchObject({
      attempts,
      error: expect.stringContaining(`answers ${status}: not\uFFFD today please`),
    });
  });
});

describe('webhook', () => {
  it('sends an event as signed JSON, and logs each delivery', async () => {
    answer = (response) => void response.writeHead(received.length < 2 ? 500 : 204).end();
    const job = await rig.run('hook', 'COMPLETED');
    const [step] = job.steps ?? [];
    const { body, headers } = first();
    expect(JSON.parse(body)).toMatchObject({ type: 'file.delivered', data: { path: '/inbox/ä' } });
    const { 'webhook-id': id, 'webhook-timestamp': at } = headers;
    const hmac = createHmac('sha256', 'the key of the hook').update(`${String(id)}.${String(at)}.${body}`);
    expect(headers['webhook-signature']).toBe(`v1,${hmac.digest('base64')}`);
    expect(step?.outputs).toEqual({ id, status: '204' });
    expect(step?.log.map(({ attempt, message }) => `${attempt} ${message}`)).toEqual([
      `1 file.delivered ${String(id)} to hooks: status 500`,
      expect.stringContaining('1 Step'),
      `2 file.delivered ${String(id)} to hooks: status 204`,
    ]);
  });

  it('is sent again with another id when its job is resubmitted', async () => {
    const job = await rig.run('hook', 'COMPLETED');
    const again = await rig.manager.client.post(`/job-manager/jobs/${job.id}/resubmit`, { bearer: rig.manager.admin });
    await rig.manager.reaches((again.json() as { id: number }).id, 'COMPLETED');
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  });

  it('is refused over a connection without a signing key', async () => {
    const job = await rig.run('unsigned-hook', 'ERROR');
    expect(job.statusMessage).toContain('plain has no signingKey');
    expect(received).toEqual([]);
  });
});
