import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { textBody } from '../src/http/http-request.ts';
import { outcomeOf, signingKey, startHttpServer, testClient, testRequest } from './http-rig.ts';

const ok = startHttpServer.bind(undefined, (_request, response) => void response.end('hello'));

describe('destinations', () => {
  it('are refused before anything is sent: loopback, in every spelling, unless the operator allows it', async () => {
    await using server = await ok();
    const hosts = ['127.0.0.1', '127.1', '2130706433', '0x7f.1', '0177.1', 'localhost', '[::1]', '[::ffff:127.0.0.1]'];
    for (const host of hosts) {
      using client = testClient({ url: `http://${host}:${server.port}` }, {});
      expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'destination_refused' });
    }
    expect(server.received).toEqual([]);
    using allowed = testClient({ url: `http://127.0.0.1:${server.port}` });
    expect(await outcomeOf(allowed, testRequest())).toEqual({ status: 200, body: 'hello' });
  });

  it('are connected to at the address that was checked, whatever a second lookup would say', async () => {
    await using server = await ok();
    // The first answer is allowed and is where nothing listens; the second is the server that must not be reached.
    const answers = [['127.0.0.2'], ['127.0.0.1']];
    let lookups = 0;
    const lookup = () => Promise.resolve(answers[Math.min(lookups++, 1)] ?? []);
    using client = testClient(
      { url: `http://rebinding.example:${server.port}` },
      { allowedNetworks: ['127.0.0.2/32'], lookup },
    );
    expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'connection_failed' });
    expect(lookups).toBe(1);
    expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'destination_refused' });
    expect(server.received).toEqual([]);
  });

  it('of redirects are checked like the first', async () => {
    await using inner = await ok();
    for (const location of [
      'http://169.254.169.254/latest/meta-data',
      `http://[::1]:${inner.port}/`,
      'http://10.0.0.1/',
    ]) {
      await using outer = await startHttpServer((_request, response) => {
        response.writeHead(302, { location }).end();
      });
      using client = testClient({ url: `http://127.0.0.1:${outer.port}`, maxRedirects: 5 });
      expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'destination_refused' });
    }
    expect(inner.received).toEqual([]);
  });
});

describe('redirects', () => {
  it('are not followed unless the connection allows them, and no more than it allows', async () => {
    await using loop = await startHttpServer(
      (_request, response) => void response.writeHead(307, { location: '/' }).end(),
    );
    using never = testClient({ url: `http://127.0.0.1:${loop.port}` });
    expect(await outcomeOf(never, testRequest())).toMatchObject({ status: 307 });
    using thrice = testClient({ url: `http://127.0.0.1:${loop.port}`, maxRedirects: 3 });
    expect(await outcomeOf(thrice, testRequest())).toMatchObject({ error: 'remote_refused' });
    expect(loop.received).toHaveLength(5);
  });

  it('to another origin carry no credentials, no signature and no headers of the step', async () => {
    await using other = await ok();
    await using first = await startHttpServer((_request, response) => {
      response.writeHead(307, { location: `http://127.0.0.1:${other.port}/next` }).end();
    });
    using client = testClient({ url: `http://127.0.0.1:${first.port}`, maxRedirects: 1, signingKey: 'secret://key' });
    const request = testRequest({ method: 'POST', headers: { 'X-Api-Key': 'k' }, body: textBody('{}') });
    expect(await outcomeOf(client, request)).toMatchObject({ status: 200 });
    expect(first.received[0]?.headers).toMatchObject({ 'x-api-key': 'k', 'webhook-id': 'step-1' });
    const names = Object.keys(other.received[0]?.headers ?? {});
    expect(names.filter((name) => /api|webhook|auth|idempotency/u.test(name))).toEqual([]);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://user:pw@127.0.0.1/', '://'])(
    'to %s are refused',
    async (location) => {
      await using server = await startHttpServer(
        (_request, response) => void response.writeHead(302, { location }).end(),
      );
      using client = testClient({ url: `http://127.0.0.1:${server.port}`, maxRedirects: 1 });
      expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'remote_refused' });
    },
  );
});

describe('requests', () => {
  it('are signed over id, time and body, as Standard Webhooks say', async () => {
    await using server = await ok();
    using client = testClient({ url: `http://127.0.0.1:${server.port}`, signingKey: 'secret://key' });
    await outcomeOf(client, testRequest({ method: 'POST', body: textBody('{"a":"ä"}') }));
    const [received] = server.received;
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = received?.headers ?? {};
    const key = Buffer.from(signingKey.slice('whsec_'.length), 'base64');
    const expected = createHmac('sha256', key)
      .update(`${String(id)}.${String(at)}.`)
      .update(received?.body ?? '')
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
    expect(Math.abs(Date.now() / 1_000 - Number(at))).toBeLessThan(60);
    expect(received?.headers).toMatchObject({ 'idempotency-key': 'step-1', 'content-length': '10' });
  });

  it.each(['..', '../x', 'a/../../x', '%2e%2e/x', 'a/%2E./b', '\\\\evil', 'a\r\nHost: x', '#x'])(
    'cannot leave the address of the connection by the path %j',
    async (path) => {
      await using server = await ok();
      using client = testClient({ url: `http://127.0.0.1:${server.port}/base/` });
      expect(await outcomeOf(client, testRequest({ path }))).toMatchObject({ error: 'validation_failed' });
      expect(server.received).toEqual([]);
    },
  );

  it.each(['//evil.example/x', '@evil.example/', ':99/x', 'http://evil.example/'])(
    'stay below the address with the path %j',
    async (path) => {
      await using server = await ok();
      using client = testClient({ url: `http://127.0.0.1:${server.port}/base` });
      await outcomeOf(client, testRequest({ path }));
      expect(server.received.every(({ url }) => url.startsWith('/base/'))).toBe(true);
    },
  );

  it('cannot set headers that belong to the connection, or have line ends', async () => {
    await using server = await ok();
    using client = testClient({ url: `http://127.0.0.1:${server.port}` });
    for (const headers of [
      { Host: 'x' },
      { Authorization: 'x' },
      { 'Transfer-Encoding': 'chunked' },
      { '': 'x' },
      { A: 'x\r\nB: y' },
      { 'Webhook-Id': 'x' },
    ]) {
      expect(await outcomeOf(client, testRequest({ headers }))).toMatchObject({ error: 'validation_failed' });
    }
    expect(server.received).toEqual([]);
  });

  it('reuse a connection', async () => {
    await using server = await ok();
    using client = testClient({ url: `http://127.0.0.1:${server.port}`, maxConnections: 1 });
    for (let request = 0; request < 5; request += 1)
      expect(await outcomeOf(client, testRequest())).toMatchObject({ status: 200 });
    expect(new Set(server.received.map(({ clientPort }) => clientPort)).size).toBe(1);
  });
});

describe('a hostile server', () => {
  const half = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  it.each([
    ['says nothing', ''],
    ['stops in its headers', 'HTTP/1.1 200 OK\r\nX: y'],
    ['stops in its body', half],
    ['speaks another protocol', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['sends endless headers', `HTTP/1.1 200 OK\r\n${`X-Y: ${'z'.repeat(1_000)}\r\n`.repeat(200)}`],
  ])('that %s fails the request, and holds it no longer than the idle timeout', async (_, bytes) => {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.write(bytes));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    using client = testClient({ url: `http://127.0.0.1:${port}`, idleTimeoutSeconds: 0.3 });
    expect(await outcomeOf(client, testRequest())).toMatchObject({ error: 'connection_failed' });
    server.close();
  });

  it('that never ends is ended by the total timeout', async () => {
    await using server = await startHttpServer((_request, response) => {
      const timer = setInterval(() => response.write('more'), 20);
      response.on('close', () => clearInterval(timer));
    });
    using client = testClient({ url: `http://127.0.0.1:${server.port}`, totalTimeoutSeconds: 0.4 });
    const outcome = await outcomeOf(client, testRequest());
    expect(outcome).toMatchObject({
      error: 'connection_failed',
      message: expect.stringContaining('longer than 0.4 s'),
    });
  });

  it('is left when the step is aborted', async () => {
    await using server = await startHttpServer(() => {});
    using client = testClient({ url: `http://127.0.0.1:${server.port}` });
    const abort = new AbortController();
    const outcome = outcomeOf(client, testRequest(), abort.signal);
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve));
    abort.abort(new Error('the job was aborted'));
    expect(await outcome).toMatchObject({ message: 'the job was aborted' });
  });
});
