import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveWebApplication } from '../src/web/serve-web-application.ts';
import { startTestServer, type TestServer } from './start-test-server.ts';

const page = '<!doctype html><title>Pages</title>';
const script = 'export const answer = 42;';

describe('a web application', () => {
  let folder: Awaited<ReturnType<typeof createTestFolder>>;
  let server: TestServer;

  beforeAll(async () => {
    folder = await createTestFolder();
    const built = join(folder.path, 'built');
    await mkdir(join(built, 'assets'), { recursive: true });
    await writeFile(join(folder.path, 'secret.json'), '{}');
    await writeFile(join(built, 'page.html'), page);
    await writeFile(join(built, 'assets/main-1.js'), script);
    await writeFile(join(built, 'assets/main-1.js.br'), brotliCompressSync(script));
    await writeFile(join(built, 'assets/main-1.js.gz'), gzipSync(script));
    const webApplication = await serveWebApplication({ prefix: '/ui', folder: built });
    server = await startTestServer(undefined, { webApplication });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  it.each(['/ui/', '/ui/page.html', '/ui/inbox/2026?sort=size', '/ui/a%2Fb', '/ui/%3Cscript%3E'])(
    'is one page at %s, which runs nothing but its own scripts and is asked for again each time',
    async (address) => {
      const response = await server.call(address);
      expect([response.status, await response.text()]).toEqual([200, page]);
      const policy = response.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/u);
      expect(policy).not.toMatch(/unsafe|\*|https?:/u);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      const again = await server.call(address, { headers: { 'if-none-match': response.headers.get('etag') ?? '' } });
      expect([again.status, await again.text()]).toEqual([304, '']);
    },
  );

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip;q=0.5, br;q=0', 'gzip'],
    ['identity', null],
  ])('has scripts for a year, with Accept-Encoding %s as %s', async (accepted, encoding) => {
    const response = await server.call('/ui/assets/main-1.js', { headers: { 'accept-encoding': accepted } });
    expect([response.status, await response.text()]).toEqual([200, script]);
    expect(response.headers.get('content-encoding')).toBe(encoding);
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('has an address that ends with a slash', async () => {
    const response = await server.call('/ui', { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([308, '/ui/']);
  });

  it.each([
    '/ui/assets/main-2.js',
    '/ui/assets/../../secret.json',
    '/ui/assets/%2e%2e/page.html',
    '/uix',
    '/ui/assets/',
  ])('does not have %s', async (address) => {
    const answer = await server.raw(`GET ${address} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 40[04] /u);
    expect(answer).not.toContain(page);
  });

  it('shows no file outside its folder: an address that leaves it is an address of the page', async () => {
    const answer = await server.raw('GET /ui/../secret.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(answer).not.toContain('{}');
  });

  it.each(['POST', 'PUT', 'DELETE'])('refuses %s', async (method) => {
    const response = await server.call('/ui/', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers HEAD without a body', async () => {
    const response = await server.call('/ui/', { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('tells its scripts settings, which do not become elements of the page', async () => {
    const built = join(folder.path, 'settings');
    await mkdir(built);
    const before = '<!doctype html><head><title>Pages</title>';
    await writeFile(join(built, 'page.html'), `${before}</head><body></body>`);
    await writeFile(join(built, 'page.html.br'), brotliCompressSync(page));
    const settings = { base: '/api/v2', hostile: '"><script>alert(1)</script>' };
    const webApplication = await serveWebApplication({ prefix: '/ui', folder: built, settings });
    await using served = await startTestServer(undefined, { webApplication });
    for (const address of ['/ui/', '/ui/page.html']) {
      const response = await served.call(address, { headers: { 'accept-encoding': 'br' } });
      const text = await response.text();
      expect(text).toMatch(/^<!doctype html><head><title>Pages<\/title><meta name="base" content="\/api\/v2" \/>/u);
      expect(text).not.toContain('<script>');
      expect(response.headers.get('etag')).not.toBe((await server.call(address)).headers.get('etag'));
    }
  });

  it('is refused as long as it has not been built', async () => {
    await expect(serveWebApplication({ prefix: '/ui', folder: folder.path })).rejects.toThrow(/has not been built/u);
  });
});
