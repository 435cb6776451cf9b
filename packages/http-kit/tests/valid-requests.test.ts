import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

describe('a request that is as the contract says', () => {
  test('reaches the handler parsed, with its principal, and the answer carries cookies and security headers', async () => {
    const response = await server.post('{"name":"n"}', {}, '/echo/7?sort=%2Bid');
    expect(response.status).toBe(201);
    expect(await response.json()).toMatchObject({ id: 7, query: { sort: '+id' }, name: 'n', user: 'admin' });
    expect(response.headers.get('set-cookie')).toBe('crumb=a%20b; Path=/; HttpOnly; SameSite=Lax');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-powered-by')).toBeNull();
  });

  test.each([
    ['/tree', null],
    ['/tree/', null],
    ['/tree/a/b%20c', 'a/b c'],
    ['/tree/a/', 'a/'],
  ])('has its wildcard %s put together again', async (path, expected) => {
    expect(await (await server.call(path)).json()).toEqual({ path: expected });
  });

  test('streams a body in either direction', async () => {
    const sent = await server.call('/count', {
      method: 'PUT',
      body: Buffer.alloc(3_000_000),
      headers: { 'content-type': 'a/b' },
    });
    expect(await sent.json()).toEqual({ size: 3_000_000 });
    const got = await server.call('/bytes');
    expect(got.headers.get('content-type')).toBe('application/octet-stream');
    expect(await got.text()).toBe('abcdef');
    expect((await server.call('/bytes', { method: 'HEAD' })).status).toBe(200);
  });
});
