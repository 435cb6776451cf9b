import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('the server', () => {
  test('uses a valid X-Request-Id and generates one otherwise', async () => {
    const sane = await server.call('/tree', { headers: { 'x-request-id': 'abc-12345' } });
    expect(sane.headers.get('x-request-id')).toBe('abc-12345');
    const insane = await server.call('/tree', { headers: { 'x-request-id': 'a b<c>' } });
    expect(insane.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/u);
  });

  test('accepts forwarding headers of a trusted proxy, except an invalid host', async () => {
    const forwarded = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'files.example.org',
    };
    expect(await (await server.post('{"name":"n"}', forwarded)).json()).toMatchObject({
      baseUrl: 'https://files.example.org',
      clientAddress: '203.0.113.9',
    });
    const forged = await server.post('{"name":"n"}', { 'x-forwarded-host': 'a"><script>' });
    expect(await forged.json()).toMatchObject({ baseUrl: `http://127.0.0.1:${server.port}` });
  });

  test('prefers the host of the target to that of the header', async () => {
    const head = ['Host: elsewhere', 'Authorization: Bearer admin', 'Content-Type: application/json'];
    const request = [
      `POST http://files.example.org/echo/7 HTTP/1.1`,
      ...head,
      'Content-Length: 12',
      'Connection: close',
    ];
    const answer = await server.raw(`${request.join('\r\n')}\r\n\r\n{"name":"n"}`);
    expect(answer).toContain('"baseUrl":"http://files.example.org"');
  });

  test('ignores an unknown expectation', async () => {
    const head = 'GET /tree HTTP/1.1\r\nHost: a\r\nExpect: the-unexpected\r\nConnection: close\r\n\r\n';
    expect(await server.raw(head)).toMatch(/^HTTP\/1\.1 200 /u);
  });

  test('sends 100 Continue only when the body is read', async () => {
    const head = (path: string) =>
      `PUT ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: a/b\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    const refused = await server.raw(head('/nowhere'));
    expect(refused).toMatch(/^HTTP\/1\.1 404 /u);
    expect(await server.raw(`${head('/count')}abc`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [\s\S]*"size":3/u,
    );
  });

  test('serves liveness, readiness and metrics', async () => {
    expect((await server.call('/health/live')).status).toBe(200);
    expect(await (await server.call('/health/ready')).json()).toEqual({ ready: true, checks: {} });
    expect(await (await server.call('/metrics')).text()).toContain('waybill_http_request_duration_seconds_count{');
  });

  test.each([
    ['is served', '{"name":"n"}', 201],
    ['is refused', '{"name":7}', 400],
  ])('says in the access line of a request that %s whose it is, and in which session', async (_what, body, status) => {
    const requestId = `caller-${status}`;
    await server.post(body, { 'x-request-id': requestId });
    const found = () => server.logLines.find((entry) => entry.includes(requestId));
    const line = await waitFor(found, { what: 'the access line' });
    expect(JSON.parse(line)).toMatchObject({ status, userName: 'admin', sessionId: 'session-of-admin' });
  });

  test('writes one access line per request, without its query', async () => {
    await server.call('/tree/a?token=hidden', { headers: { 'x-request-id': 'line-0001' } });
    const line = server.logLines.find((entry) => entry.includes('line-0001'));
    expect(JSON.parse(line ?? '')).toMatchObject({
      msg: 'request',
      path: '/tree/a',
      status: 200,
      endpoint: 'tree',
      complete: true,
    });
    expect(line).not.toContain('hidden');
  });
});
