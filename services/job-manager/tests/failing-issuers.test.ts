import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

const api = '/platform-application/api/v1';
const callback = 'http://127.0.0.1:1/platform-application/api/v1/auth/oidc/callback';
let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

it('an issuer that does not answer is reported as such, and does not keep a manager from starting', async () => {
  await using alone = await startTestJobManager(platform, {
    NODE_NAME: 'node3',
    ACCESS_SECRET_KEYS: newKeyRingEntry(),
    OIDC_ISSUER: 'http://127.0.0.1:9',
    OIDC_CLIENT_ID: 'waybill',
    OIDC_CALLBACK_URL: callback,
    OIDC_ROLES: '{"operators":["Operators"]}',
  });
  const response = await alone.client.get(`${api}/auth/oidc/login`);
  expect([response.status, response.text]).toEqual([503, expect.stringContaining('cannot be reached')]);
});

it('an issuer that fails is left alone for some seconds, whatever is begun', { timeout: 120_000 }, async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests += 1;
    response.writeHead(500).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await using alone = await startTestJobManager(platform, {
    NODE_NAME: 'node4',
    ACCESS_SECRET_KEYS: newKeyRingEntry(),
    OIDC_ISSUER: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    OIDC_CLIENT_ID: 'waybill',
    OIDC_CALLBACK_URL: callback,
    OIDC_ROLES: '{"operators":["Operators"]}',
  });
  const begin = async () => (await alone.client.get(`${api}/auth/oidc/login`)).status;
  const startedAt = performance.now();
  expect(await Promise.all(Array.from({ length: 20 }, begin))).toEqual(Array.from({ length: 20 }, () => 503));
  expect(await begin()).toBe(503);
  const tries = (): number => 1 + Math.floor((performance.now() - startedAt) / 5_000);
  expect(requests).toBeLessThanOrEqual(tries());
  await expect.poll(async () => ((await begin()) === 503 ? requests : -1)).toBeGreaterThan(1);
  expect(requests).toBeLessThanOrEqual(tries());
  server.closeAllConnections();
  server.close();
});
