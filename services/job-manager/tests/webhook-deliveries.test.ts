import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { connectionRig } from './connection-rig.ts';

const path = '/job-manager/webhook-deliveries';
const key = 'the key of the log';
const deliverySchema = z.strictObject({
  id: z.int(),
  job: z.int(),
  step: z.string(),
  attempt: z.int(),
  connection: z.string(),
  webhookId: z.string(),
  begunAt: z.iso.datetime(),
  durationMs: z.int().min(0),
  outcome: z.enum(['delivered', 'failed']),
  status: z.int().nullable(),
  error: z.string().nullable(),
  reason: z.string().nullable(),
  replayOf: z.int().nullable(),
});
const pageSchema = z.strictObject({ deliveries: z.array(deliverySchema), next: z.string().optional() });

const rig = connectionRig();
const ids: unknown[] = [];
let answer: (response: ServerResponse) => void;
const server = createServer((request, response) => {
  ids.push(request.headers['webhook-id']);
  request.resume().on('end', () => answer(response));
});
const retry = { attempts: 2, delaySeconds: 0 };
const event = { event: 'file.delivered', data: '{"path":"/inbox/canary"}' };

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  await rig.setSecret('log-key', key);
  const http = { type: 'http', url: `http://127.0.0.1:${port}/api`, signingKey: 'secret://log-key' };
  await rig.configure(
    [
      { ...http, name: 'hooks' },
      { ...http, name: 'others' },
      { ...http, name: 'forbidden', url: 'http://192.0.2.1/' },
      { name: 'plain', type: 'http', url: http.url },
    ],
    {
      hook: { uses: 'webhook', with: { connection: 'hooks', ...event }, retry },
      other: { uses: 'webhook', with: { connection: 'others', ...event } },
      forbidden: { uses: 'webhook', with: { connection: 'forbidden', ...event } },
      unsigned: { uses: 'webhook', with: { connection: 'plain', ...event } },
      silent: { uses: 'webhook', with: { connection: 'hooks', ...event }, timeoutSeconds: 1 },
    },
  );
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  ids.length = 0;
  answer = (response) => void response.writeHead(204).end();
});

const get = (query: Readonly<Record<string, string>>, bearer = rig.manager.admin) =>
  rig.manager.client.get(path, { bearer, query });
const list = async (query: Readonly<Record<string, string>>) => pageSchema.parse((await get(query)).json()).deliveries;

describe('the delivery log', () => {
  it('has each attempt with its status, and nothing of what was sent or answered', async () => {
    answer = (response) => void response.writeHead(ids.length < 2 ? 503 : 204).end(ids.length < 2 ? 'canary' : '');
    const { id: job } = await rig.run('hook', 'COMPLETED');
    const shared = { job, step: 'only', connection: 'hooks', webhookId: ids[0] };
    expect(await list({ job: String(job) })).toMatchObject([
      { ...shared, attempt: 2, outcome: 'delivered', status: 204, error: null, reason: null },
      { ...shared, attempt: 1, outcome: 'failed', status: 503, error: 'connection_failed', reason: null },
    ]);
    expect(ids).toEqual([ids[0], ids[0]]);
    const stored = JSON.stringify(await rig.platform.database.query('SELECT * FROM jobs.webhook_deliveries'));
    for (const text of ['canary', key, '127.0.0.1', '/api']) expect(stored).not.toContain(text);
  });

  it.each([
    ['forbidden', 'ERROR', { status: null, error: 'destination_refused', reason: expect.any(String) }],
    [
      'unsigned',
      'ERROR',
      { status: null, error: 'validation_failed', reason: expect.stringContaining('plain has no signingKey') },
    ],
  ] as const)('has attempts that sent nothing: %s', async (step, status, expected) => {
    const { id } = await rig.run(step, status);
    expect(await list({ job: String(id) })).toMatchObject([{ ...expected, outcome: 'failed', attempt: 1 }]);
    expect(ids).toEqual([]);
  });

  it('has attempts that a receiver has refused, closed or never answered', async () => {
    answer = (response) => void response.writeHead(410).end();
    const refused = await rig.run('other', 'ERROR');
    answer = (response) => void response.socket?.destroy();
    const closed = await rig.run('other', 'ERROR');
    answer = () => {};
    const silent = await rig.run('silent', 'ERROR');
    const [one, two, three] = await Promise.all([refused, closed, silent].map(({ id }) => list({ job: String(id) })));
    expect(one).toMatchObject([{ status: 410, error: 'remote_refused' }]);
    expect(two).toMatchObject([{ status: null, error: 'connection_failed' }]);
    expect(three).toMatchObject([{ status: null, error: 'interrupted' }]);
  });

  it('is listed by pages, each delivery once, newest first', async () => {
    const jobs: number[] = [];
    for (let count = 0; count < 5; count += 1) jobs.unshift((await rig.run('other', 'COMPLETED')).id);
    const seen: number[] = [];
    let page = pageSchema.parse((await get({ maxItems: '2', connection: 'others', outcome: 'delivered' })).json());
    for (;;) {
      expect(page.deliveries.length).toBeLessThanOrEqual(2);
      seen.push(...page.deliveries.map(({ job }) => job));
      if (page.next === undefined) break;
      page = pageSchema.parse((await rig.manager.client.get(page.next, { bearer: rig.manager.admin })).json());
    }
    expect(seen).toEqual(jobs);
  });

  it('is found by connection, job and outcome, which match exactly', async () => {
    answer = (response) => void response.writeHead(410).end();
    const failed = String((await rig.run('hook', 'ERROR')).id);
    expect(await list({ job: failed, connection: 'hooks', outcome: 'failed' })).toHaveLength(1);
    expect(await list({ job: failed, outcome: 'delivered' })).toEqual([]);
    expect(await list({ job: failed, connection: 'others' })).toEqual([]);
    for (const connection of ['Hooks', '%', "' OR true --", '', ':job', '?', 'x'.repeat(7_000)]) {
      expect(await list({ connection }), connection).toEqual([]);
    }
    expect(await list({ job: String(Number.MAX_SAFE_INTEGER) })).toEqual([]);
    const { id } = existing((await list({ job: failed }))[0]);
    expect(await list({ job: failed, cursor: String(id) })).toEqual([]);
  });

  it.each([
    { outcome: 'lost' },
    { outcome: '' },
    { maxItems: '0' },
    { maxItems: '1001' },
    { maxItems: 'all' },
    { job: '0' },
    { job: '-1' },
    { job: '1 OR 1=1' },
    { job: '99999999999999999999' },
    { cursor: '1e9' },
    { cursor: '-1' },
    { connection: 'a\u0000b' },
    { color: 'red' },
  ])('is not listed by %j', async (query) => {
    expect((await get(query)).status).toBe(400);
  });

  it('is not listed by a filter that is repeated', async () => {
    const { client, admin } = rig.manager;
    expect((await client.get(`${path}?job=1&job=2`, { bearer: admin })).status).toBe(400);
  });

  it('can be read by users who may read jobs, and not without a login', async () => {
    expect((await get({}, rig.manager.viewer)).status).toBe(200);
    expect((await rig.manager.client.get(path)).status).toBe(401);
  });

  it('cannot be changed by the role of the service', async () => {
    const { rows } = await rig.platform.db.raw<{ rows: object[] }>(
      `SELECT privilege FROM unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) AS privilege
       WHERE has_table_privilege('waybill_job_manager', 'jobs.webhook_deliveries', privilege)`,
    );
    expect(rows).toEqual([]);
  });
});
