import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { grantsOf } from '@waybill/access/principal';
import { defineEndpoint } from '@waybill/contracts/endpoints/endpoint';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { BuiltInRole } from '@waybill/contracts/roles/built-in-roles';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { z } from 'zod';
import type { TrustedProxies } from '../src/forwarded/request-origin.ts';
import { createBearerAuthenticator } from '../src/routing/bearer-authenticator.ts';
import { bindEndpoint } from '../src/routing/bind-endpoint.ts';
import { createHttpServer, type HttpServerOptions } from '../src/server/create-http-server.ts';
import type { HttpSettings } from '../src/server/http-settings.ts';

const json = (schema: z.ZodType) => ({ description: 'done', body: { kind: 'json', schema } }) as const;
const anything = z.record(z.string(), z.unknown());

const echo = defineEndpoint({
  id: 'echo',
  tag: 'test',
  method: 'POST',
  path: '/echo/:id',
  summary: 'Says what it understood',
  authentication: { kind: 'bearer', permission: 'jobs:run' },
  params: z.object({ id: z.coerce.number().int() }),
  query: z.strictObject({ sort: z.string().optional() }),
  body: { kind: 'json', schema: z.object({ name: z.string() }) },
  responses: { 201: json(anything) },
  errors: [],
});

const fail = defineEndpoint({
  id: 'fail',
  tag: 'test',
  method: 'GET',
  path: '/fail/:how',
  summary: 'Fails',
  authentication: { kind: 'none' },
  params: z.object({ how: z.string() }),
  responses: { 200: json(anything) },
  errors: [],
});

const tree = defineEndpoint({
  id: 'tree',
  tag: 'test',
  method: 'GET',
  path: '/tree{/*path}',
  summary: 'Says where it is',
  authentication: { kind: 'none' },
  params: z.object({ path: z.string().optional() }),
  responses: { 200: json(anything) },
  errors: [],
});

const readThing = defineEndpoint({
  id: 'readThing',
  tag: 'test',
  method: 'GET',
  path: '/things/:id',
  summary: 'Says which',
  authentication: { kind: 'none' },
  params: z.object({ id: z.coerce.number().int() }),
  responses: { 200: json(anything) },
  errors: [],
});

const changeThing = defineEndpoint({
  id: 'changeThing',
  tag: 'test',
  method: 'POST',
  path: '/things/:id/change',
  summary: 'Takes no body',
  authentication: { kind: 'bearer', permission: 'jobs:run' },
  params: z.object({ id: z.coerce.number().int() }),
  query: z.strictObject({ reason: z.string().optional() }),
  responses: { 200: json(anything) },
  errors: [],
});

const changeThings = defineEndpoint({
  id: 'changeThings',
  tag: 'test',
  method: 'POST',
  path: '/things/bulk',
  summary: 'Takes no other fields',
  authentication: { kind: 'bearer', permission: 'jobs:run' },
  body: {
    kind: 'json',
    schema: z.strictObject({
      reason: z.string().optional(),
      filter: z.strictObject({ status: z.string().optional() }).optional(),
      list: z.array(z.strictObject({ name: z.string().optional() })).optional(),
    }),
  },
  responses: { 200: json(anything) },
  errors: [],
});

const count = defineEndpoint({
  id: 'count',
  tag: 'test',
  method: 'PUT',
  path: '/count',
  summary: 'Counts the bytes it is sent',
  authentication: { kind: 'none' },
  body: { kind: 'stream', mediaTypes: ['*/*'] },
  responses: { 200: json(anything) },
  errors: [],
});

const bytes = defineEndpoint({
  id: 'bytes',
  tag: 'test',
  method: 'GET',
  path: '/bytes',
  summary: 'Sends bytes',
  authentication: { kind: 'none' },
  responses: { 200: { description: 'bytes', body: { kind: 'stream', mediaType: 'application/octet-stream' } } },
  errors: [],
});

const flood = defineEndpoint({
  id: 'flood',
  tag: 'test',
  method: 'GET',
  path: '/flood',
  summary: 'Sends 64 MiB',
  authentication: { kind: 'none' },
  responses: { 200: { description: 'bytes', body: { kind: 'stream', mediaType: 'application/octet-stream' } } },
  errors: [],
});

const refusedConnection = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { code: 'ECONNREFUSED' });

/** One route of each kind. */
export const testRoutes = [
  bindEndpoint(echo, async ({ params, query, body, principal, baseUrl, clientAddress }) => ({
    status: 201,
    body: { id: params.id, query, name: body.name, user: principal.userName, baseUrl, clientAddress },
    cookies: [{ name: 'crumb', value: 'a b' }],
  })),
  bindEndpoint(fail, async ({ params }) => {
    if (params.how === 'coded') throw new CodedError('job_unknown', { detail: 'There is no job 7' });
    if (params.how === 'outage') throw refusedConnection;
    throw new Error('the secret is 4711');
  }),
  bindEndpoint(tree, async ({ params }) => ({ status: 200, body: { path: params.path ?? null } })),
  bindEndpoint(readThing, async ({ params }) => ({ status: 200, body: { id: params.id } })),
  bindEndpoint(changeThing, async ({ params, query }) => ({ status: 200, body: { id: params.id, query } })),
  bindEndpoint(changeThings, async () => ({ status: 200, body: {} })),
  bindEndpoint(count, async ({ openStream }) => {
    let size = 0;
    for await (const chunk of openStream() as AsyncIterable<Buffer>) size += chunk.length;
    return { status: 200, body: { size } };
  }),
  bindEndpoint(bytes, async () => ({ status: 200, body: Readable.from([Buffer.from('abc'), Buffer.from('def')]) })),
  bindEndpoint(flood, async () => ({
    status: 200,
    body: Readable.from(Array.from({ length: 1024 }, () => Buffer.alloc(64 * 1024))),
  })),
];

const bearer = createBearerAuthenticator({
  verify: async (token) => {
    if (token !== 'admin' && token !== 'viewer') throw new CodedError('not_authenticated');
    const role: BuiltInRole = token === 'admin' ? 'Administrators' : 'Users';
    const principal = { userName: userNameSchema.parse(token), sessionId: `session-of-${token}`, roles: [role] };
    return { ...principal, grants: grantsOf([role]) };
  },
});

/** A server with a route of each kind, ways to call it, and the lines that it has logged. */
export async function startTestServer(
  trustedProxies: TrustedProxies = { networks: ['127.0.0.0/8'], headers: 'x-forwarded' },
  settings: Omit<HttpSettings, 'trustedProxies'> & Pick<HttpServerOptions, 'webApplication'> = {},
) {
  const logLines: string[] = [];
  const destination = { write: (line: string) => void logLines.push(line) };
  const metrics = createMetrics('test');
  const server = createHttpServer({
    ...settings,
    routes: testRoutes,
    authenticators: { bearer },
    health: createHealth(),
    metrics,
    logger: createLogger({ service: 'test', level: 'debug', destination }),
    trustedProxies,
    stallTimeoutMs: 1_000,
    headersTimeoutMs: 1_000,
  });
  const { port } = await server.listen({ host: '127.0.0.1', port: 0 });
  const call = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
  const post = (body: string, headers: Record<string, string> = {}, path = '/echo/7') =>
    call(path, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer admin', 'content-type': 'application/json', ...headers },
    });
  const raw = (text: string) => exchangeRaw(port, text);
  return { port, logLines, metrics, call, post, raw, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** What `startTestServer` answers. */
export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

function exchangeRaw(port: number, text: string): Promise<string> {
  const answer = Promise.withResolvers<string>();
  const socket = connect(port, '127.0.0.1', () => socket.write(text));
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.on('close', () => answer.resolve(received));
  socket.on('error', answer.reject);
  return answer.promise;
}
