import { Readable } from 'node:stream';
import { type Grant, grantsOf } from '@waybill/access/principal';
import { defineEndpoint } from '@waybill/contracts/endpoints/endpoint';
import { eventStreamResponses } from '@waybill/contracts/endpoints/event-stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createHealth } from '@waybill/service-kit/telemetry/health';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createBearerAuthenticator } from '../src/routing/bearer-authenticator.ts';
import { bindEndpoint } from '../src/routing/bind-endpoint.ts';
import { eventStreamResponse, onceFired } from '../src/routing/event-stream.ts';
import { createHttpServer } from '../src/server/create-http-server.ts';

const shape = { tag: 'test', method: 'GET', summary: 'Sends something forever', errors: [] } as const;
const follow = defineEndpoint({
  ...shape,
  id: 'follow',
  path: '/events',
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  responses: eventStreamResponses,
});
const ignoresSignal = defineEndpoint({
  ...shape,
  id: 'exportAll',
  path: '/export',
  authentication: { kind: 'bearer', permission: 'jobs:read' },
  responses: { 200: { description: 'Everything', body: { kind: 'stream', mediaType: 'text/plain' } } },
});

/** A stream that never ends. */
function ticking(): Readable {
  const stream = new Readable({ read: () => {} });
  const timer = setInterval(() => stream.push('event: tick\ndata: {}\n\n'), 20);
  return stream.once('close', () => clearInterval(timer));
}

let grants: Grant[] | undefined;
const all = grantsOf(['Users']);
const limitedTo = (...actors: string[]): Grant[] => all.map(({ permissions }) => ({ permissions, actors }));
const occasions: (string | undefined)[] = [];

const server = createHttpServer({
  routes: [
    bindEndpoint(follow, async ({ signal }) => {
      const body = ticking();
      onceFired(signal, () => body.push(null));
      return eventStreamResponse(body);
    }),
    bindEndpoint(ignoresSignal, async () => ({ status: 200, body: ticking() })),
  ],
  authenticators: {
    bearer: createBearerAuthenticator({
      verify: async (_token, _address, occasion) => {
        occasions.push(occasion);
        if (grants === undefined) throw new CodedError('not_authenticated');
        return { userName: userNameSchema.parse('viewer'), roles: [], grants };
      },
    }),
  },
  health: createHealth(),
  metrics: createMetrics('test'),
  logger: createLogger({ service: 'test', level: 'fatal' }),
  trustedProxies: { networks: [], headers: 'x-forwarded' },
});
let port = 0;

beforeAll(async () => {
  ({ port } = await server.listen({ host: '127.0.0.1', port: 0 }));
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  grants = all;
  occasions.length = 0;
});

/** Reads a stream from here on: how it ended. */
async function open(path: string): Promise<{ ended: Promise<'in order' | 'cut off'>; isOpen(): boolean }> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: 'Bearer any' } });
  expect(answer.status).toBe(200);
  let isOpen = true;
  const read = async (): Promise<'in order'> => {
    for await (const _chunk of answer.body ?? []);
    return 'in order';
  };
  const ended = read()
    .catch(() => 'cut off' as const)
    .finally(() => (isOpen = false));
  return { ended, isOpen: () => isOpen };
}

it.each([
  ['the token is no longer good', all, undefined],
  ['the permission is gone', all, grantsOf(['Auditors'])],
  ['the permission became limited to an actor', all, limitedTo('acme')],
  ['the permission became limited to fewer actors', limitedTo('acme', 'globex'), limitedTo('globex')],
])('a stream of events ends in order when %s', async (_, before, after) => {
  grants = before;
  const stream = await open('/events');
  grants = after;
  const changedAt = performance.now();
  expect(await stream.ended).toBe('in order');
  expect(performance.now() - changedAt).toBeLessThan(2_000);
});

it('a stream goes on while the permission reaches at least what it reached', async () => {
  grants = limitedTo('acme');
  const stream = await open('/events');
  grants = limitedTo('acme', 'globex');
  await expect.poll(() => occasions.length).toBeGreaterThan(2);
  grants = all;
  await expect.poll(() => occasions.length).toBeGreaterThan(4);
  expect(stream.isOpen()).toBe(true);
  expect(occasions.slice(1).every((occasion) => occasion === 'response')).toBe(true);
  grants = undefined;
  await stream.ended;
});

it('any other response of any length is cut off, so that nobody takes it for complete', async () => {
  const stream = await open('/export');
  grants = undefined;
  expect(await stream.ended).toBe('cut off');
});
