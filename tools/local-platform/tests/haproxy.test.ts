import type { Server } from 'node:http';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestTls } from './request-tls.ts';
import { startHaproxy, type TestHaproxy } from './start-haproxy.ts';
import { startPeer, stopPeer } from './start-peer.ts';

describe('the load balancer of the deployment', () => {
  const peers: Server[] = [];
  let haproxy: TestHaproxy;

  beforeAll(async () => {
    peers.push(await startPeer(), await startPeer());
    haproxy = await startHaproxy(peers);
    await waitFor(async () => (await partner('/2.0/files/a')).status === 200, { what: 'HAProxy to answer' });
    const noJobs = async () => (await administrator('/job-manager/jobs')).status === 503;
    await waitFor(noJobs, { what: 'HAProxy to find no job manager' });
  });
  afterAll(async () => {
    for (const peer of peers) stopPeer(peer);
    await haproxy?.[Symbol.asyncDispose]();
  });
  const partner = (path: string, headers = {}) => requestTls(haproxy.ports.partners, path, headers);
  const administrator = (path: string) => requestTls(haproxy.ports.administrators, path);
  const plain = (path: string) => fetch(`http://127.0.0.1:${haproxy.ports.plain}${path}`, { redirect: 'manual' });

  it.each([
    ['an address', `/2.0/files/${'a'.repeat(40_000)}`, {}],
    ['a longer address', `/2.0/files/${'a'.repeat(60_000)}`, {}],
    ['a header', '/2.0/files/a', { 'x-long': 'a'.repeat(40_000) }],
  ])('lets the service refuse %s that is too long', async (_what, path, headers) => {
    const response = await partner(path, headers);
    expect([response.status, response.text]).toEqual([431, 'the service says so']);
  });

  it('responds to an unknown address with a problem whose request id is in the log', async () => {
    const response = await partner('/nowhere');
    expect([response.status, response.headers['content-type']]).toEqual([404, 'application/problem+json']);
    const { requestId, ...problem } = problemSchema.parse(JSON.parse(response.text));
    expect(problem).toMatchObject({ status: 404, code: 'route_not_found' });
    await waitFor(() => haproxy.log.join('').includes(` "GET /nowhere HTTP/1.1" ${requestId}\n`), {
      what: 'the line in the log',
    });
  });

  it('responds for an unavailable service with a problem', async () => {
    const response = await administrator('/job-manager/jobs');
    expect([response.status, response.headers['content-type']]).toEqual([503, 'application/problem+json']);
    expect(problemSchema.parse(JSON.parse(response.text))).toMatchObject({ status: 503, code: 'service_unavailable' });
  });

  it.each([
    '/platform-application/api/v1/auth/login',
    '/platform-application/api/v1/infrastructure/clusters',
    '/job-manager/jobs',
    '/audit',
    '/.well-known/jwks.json',
    '/metrics',
    '/health/ready',
    '/2.0/../job-manager/jobs',
    '//job-manager/jobs',
    '/2.00',
  ])('serves partners nothing at %s', async (path) => {
    const { status, text } = await partner(path);
    // A service of the partners' side may get a path that looks like its own.
    if (path.startsWith('/2.0/')) expect(status).toBe(200);
    else expect(problemSchema.parse(JSON.parse(text))).toMatchObject({ status: 404, code: 'route_not_found' });
  });

  it.each(['/2.0/files/a', '/metrics', '/health/ready'])('serves administrators nothing at %s', async (path) => {
    expect((await administrator(path)).status).toBe(404);
  });

  it('serves its own health and metrics separately', async () => {
    const address = `http://127.0.0.1:${haproxy.ports.operations}`;
    expect((await fetch(`${address}/health`)).status).toBe(200);
    expect(await (await fetch(`${address}/metrics`)).text()).toContain('haproxy_process_current_connections');
    expect((await fetch(`${address}/2.0/files/a`)).status).toBe(404);
  });

  it('redirects plain HTTP, keeping path and query, and serves nothing there', async () => {
    const response = await plain('/2.0/files/a?x=1');
    expect([response.status, response.headers.get('location')]).toEqual([
      308,
      'https://127.0.0.1:8443/2.0/files/a?x=1',
    ]);
    expect(response.headers.get('strict-transport-security')).toBeNull();
    expect((await plain('/.well-known/acme-challenge/token')).status).toBe(503);
  });

  it('tells browsers in every response to use HTTPS only', async () => {
    for (const answer of [
      await partner('/2.0/files/a'),
      await partner('/nowhere'),
      await administrator('/job-manager/jobs'),
    ]) {
      expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    }
  });

  it('replaces what a client claims about its address', async () => {
    const claims = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-port': '1',
      forwarded: 'for=203.0.113.9',
      host: 'a.example',
    };
    const seen: unknown = JSON.parse((await partner('/2.0/files/a', claims)).text);
    expect(seen).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'a.example',
    });
    expect(Object.keys(Object(seen))).not.toContain('forwarded');
    expect(Object.keys(Object(seen))).not.toContain('x-forwarded-port');
  });

  it('responds for an unavailable http-files with a result body that has the time', async () => {
    for (const peer of peers) stopPeer(peer);
    const away = async () => {
      const response = await partner('/2.0/files/a');
      return response.status === 503 ? response : undefined;
    };
    const response = await waitFor(away, { what: 'HAProxy to miss the peers' });
    expect(response.headers['content-type']).toBe('application/json');
    const { timestamp, ...failure } = fileFailureSchema.parse(JSON.parse(response.text));
    expect(failure).toEqual({
      result: 'failed',
      message: 'The service cannot answer right now',
      errorType: 'internal',
    });
    expect(Math.abs(Date.now() - Date.parse(timestamp))).toBeLessThan(60_000);
  });
});
