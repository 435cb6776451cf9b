import { fileEndpoints } from '@waybill/contracts/endpoints/files/file-endpoints';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { commonRefusals } from '@waybill/http-kit/routing/common-refusals';
import { expect, test } from 'vitest';
import { onePeer } from './test-peers.ts';

const site = onePeer();

const cases = commonRefusals({
  routes: fileEndpoints.map((endpoint) => ({ endpoint, path: endpoint.path })),
  baseUrl: () => site.peer.url,
  permitted: async () => ({ cookie: (await site.peer.logIn('acme')).cookies.header() ?? '' }),
  assertFailure: (_response, body) => void fileFailureSchema.strict().parse(body),
});

test.each(cases)('$title', async ({ run }) => {
  await expect(run()).resolves.toBeUndefined();
});

/** Users manage their own accounts without a contract: what a contract gives are files. */
const isOfAccount = (path: string): boolean => path.startsWith('/2.0/account');

const bound = fileEndpoints.filter(({ id, path, authentication: { kind } }) => {
  return kind === 'login-session' && id !== 'closeLoginSession' && !isOfAccount(path);
});

test.each(
  bound.map(({ id, method, path }) => ({ id, method, address: path.replaceAll(/\{\/\*\w+\}|\/:\w+/gu, '/1') })),
)('$id refuses a user without a Connection Contract', async ({ method, address }) => {
  const answer = await (await site.peer.logIn('initech')).request(method, address);
  expect(answer.status).toBe(401);
  if (method === 'HEAD') return;
  expect(answer.json()).toMatchObject({
    errorType: 'configuration',
    message: 'Connection contract not configured',
  });
});

test('a user without a Connection Contract reaches the own account', async () => {
  const answer = await (await site.peer.logIn('initech')).request('GET', '/2.0/account/ssh-keys');
  expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ keys: [] })]);
});

test('the HTML page shows every endpoint, and its headers let a browser show it', async () => {
  const response = await fetch(`${site.peer.url}/2.0/docs`);
  const page = await response.text();
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain("style-src 'sha256-");
  for (const { id } of fileEndpoints) expect(page).toContain(`id="${id}"`);
});

test('the OpenAPI document lists every endpoint', async () => {
  const document = (await (await fetch(`${site.peer.url}/2.0/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const ids = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  );
  expect(document.openapi).toBe('3.1.0');
  expect(ids.toSorted()).toEqual(fileEndpoints.map(({ id }) => id).toSorted());
});
