import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { fileFailureSchema } from '@waybill/contracts/endpoints/files/shapes/file-failure';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { interfaceAreas } from '@waybill/docs/interface-areas';
import type { HttpClient, HttpRequestOptions, HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';

/** Values for path and query parameters that no endpoint can use. */
const badValues = [
  '%00',
  '%ff%fe',
  '%zz',
  '%F0%9F%92%A9',
  'x'.repeat(5_000),
  '-1',
  '99999999999999999999',
  "'%20OR%201=1--",
];

/** Bodies that no endpoint can use, whatever it expects. */
const badBodies: readonly HttpRequestOptions[] = [
  {},
  ...['{', '[]', 'null', '"x"', '{"__proto__":{"a":1}}', '['.repeat(20_000), '{"username":{},"a":"\\u0000"}'].map(
    (body) => ({
      body,
      headers: { 'content-type': 'application/json' },
    }),
  ),
  { body: '%%%=\0&username=%ff', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { body: 'no boundary here', headers: { 'content-type': 'multipart/form-data' } },
  { body: '--b\r\ngarbage', headers: { 'content-type': 'multipart/form-data; boundary=b' } },
  { body: 'x', headers: { 'content-type': 'not a media type' } },
];

const endpoints = Object.values(interfaceAreas).flatMap((area) =>
  area.endpoints.map((endpoint) => ({ endpoint, title: `${endpoint.method} ${endpoint.path}` })),
);

describe('bad input is answered in the form of the interface, never with a 500 or a stack trace', () => {
  let platform: PlatformProcess;
  let partner: HttpClient;
  let bearer: string;

  beforeAll(async () => {
    platform = await startPlatformProcess();
    bearer = await platform.adminToken();
    partner = platform.http();
    await partner.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  });
  afterAll(() => platform[Symbol.asyncDispose]());

  it.each(endpoints)('$title', async ({ endpoint }) => {
    for (const path of badAddressesOf(endpoint)) expectAnswerInForm(endpoint, await ask(endpoint, path, {}));
    for (const body of badBodies) expectAnswerInForm(endpoint, await ask(endpoint, addressOf(endpoint, 'inbox'), body));
  });

  function ask(endpoint: EndpointContract, path: string, options: HttpRequestOptions): Promise<HttpResponse> {
    const { kind } = endpoint.authentication;
    const method = endpoint.method;
    // A body is refused by whoever sends a GET: there the address is all that can be wrong.
    const { headers = {}, ...rest } = method === 'GET' || method === 'HEAD' ? {} : options;
    const client = kind === 'login-session' ? partner : platform.http();
    return client.request(method, path, { ...rest, headers, ...(kind === 'bearer' ? { bearer } : {}) });
  }
});

function badAddressesOf(endpoint: EndpointContract): string[] {
  const query = [
    'page',
    'limit',
    'start',
    'sort',
    'q',
    'id',
    'maxItems',
    'filter',
    'type',
    'createdAtFrom',
    'attributes',
  ];
  const address = addressOf(endpoint, 'inbox');
  return badValues.flatMap((value) => [
    addressOf(endpoint, value),
    `${address}?${query.map((name) => `${name}=${value.slice(0, 200)}`).join('&')}`,
    `${address}?page=0&q=${value.slice(0, 200)}`,
    `${address}?page=0&page=1&sort=${value.slice(0, 200)}`,
  ]);
}

function addressOf({ path }: EndpointContract, value: string): string {
  return path.replaceAll(/\{?\/?[*:]\w+\}?/g, `/${value}`);
}

function expectAnswerInForm({ method }: EndpointContract, { status, headers, text, json }: HttpResponse): void {
  expect(status, text).toBeLessThan(500);
  expect(text).not.toMatch(/\n\s+at |node_modules|\/src\//);
  // An answer to HEAD has no body.
  if (status < 400 || method === 'HEAD') return;
  const isProblem = headers.get('content-type')?.startsWith('application/problem+json') === true;
  const form = isProblem ? problemSchema : fileFailureSchema;
  expect(form.safeParse(json()).error, text).toBeUndefined();
}
