import { afterAll, beforeAll, expect, test } from 'vitest';
import { commonRefusals } from '../src/routing/common-refusals.ts';
import { startTestServer, testRoutes, type TestServer } from './start-test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const bearer = (token: string) => Promise.resolve({ authorization: `Bearer ${token}` });

const cases = commonRefusals({
  routes: testRoutes,
  baseUrl: () => `http://127.0.0.1:${server.port}`,
  permitted: () => bearer('admin'),
  withRole: (role) => bearer(role === 'Administrators' ? 'admin' : 'viewer'),
});

test.each(cases)('$title', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});

test('a refusal that is not kept is reported', async () => {
  const lenient = commonRefusals({
    routes: testRoutes.filter(({ endpoint }) => endpoint.id === 'echo'),
    baseUrl: () => `http://127.0.0.1:${server.port}`,
    permitted: () => bearer('admin'),
    withRole: () => bearer('admin'),
  });
  const role = lenient.find(({ title }) => title.includes('the role'));
  await expect(role?.run()).rejects.toThrow(/malformed|content type|validation|400|415/iu);
});
