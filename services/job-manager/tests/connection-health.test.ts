import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeSelfSigned } from '@waybill/certificates/make-self-signed';
import {
  type ConnectionHealthView,
  listConnectionHealthEndpoint,
} from '@waybill/contracts/endpoints/connections/list-connection-health';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startEchoingMailServer } from './canary-places.ts';
import { connectionRig } from './connection-rig.ts';
import { queueRequests } from './queue-requests.ts';
import { readSamples } from './read-samples.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const path = '/job-manager/client-connections/health';
const canary = 'canary-7c2e-of-connection-health';
const rig = connectionRig();
const { act, pause } = queueRequests(rig);
const stop = new AsyncDisposableStack();
const answering = createServer((request, response) => void request.resume().on('end', () => response.end('yes')));

beforeAll(async () => {
  answering.listen(0, '127.0.0.1');
  await once(answering, 'listening');
  stop.defer(() => answering.closeAllConnections());
  stop.defer(() => void answering.close());
  const { cert, key } = await makeSelfSigned({ names: ['localhost'], days: 1 });
  const port = await startEchoingMailServer({ cert, key }, stop);
  await rig.setSecret('mail', canary);
  const { port: api } = answering.address() as AddressInfo;
  const smtp = { name: 'mail', type: 'smtp', security: 'tls', from: 'a@example.org' };
  const mail = { to: 'b@example.org', subject: 's', text: 't' };
  await rig.configure(
    [
      { name: 'api', type: 'http', url: `http://127.0.0.1:${api}` },
      { ...smtp, host: 'localhost', port, username: 'user', password: 'secret://mail', certificateAuthorities: cert },
      { name: 'alone', type: 'http', url: `http://127.0.0.1:${api}` },
      { name: 'dead', type: 'http', url: 'http://127.0.0.1:9' },
      { name: 'unused', type: 'http', url: 'http://127.0.0.1:9', enabled: false },
    ],
    {
      get: { uses: 'http-request', with: { connection: 'api', path: '/' } },
      'get alone': { uses: 'http-request', with: { connection: 'alone', path: '/' } },
      'get dead': { uses: 'http-request', with: { connection: 'dead', path: '/' } },
      send: { uses: 'send-email', with: { connection: 'mail', ...mail } },
    },
  );
});
afterAll(() => stop.disposeAsync());

const { schema } = listConnectionHealthEndpoint.responses[200].body;

async function read(name: string): Promise<ConnectionHealthView | undefined> {
  const response = await rig.manager.client.get(path, { bearer: rig.manager.admin });
  expect(response.status).toBe(200);
  expect(JSON.stringify(response.json())).not.toContain('canary');
  return schema.parse(response.json()).connections.find((connection) => connection.name === name);
}

const reaches = (name: string, state: ConnectionHealthView['state']) =>
  waitFor(
    async () => {
      const connection = await read(name);
      return connection?.state === state ? connection : undefined;
    },
    { what: `the state ${state} of ${name}`, timeoutMs: 15_000 },
  );

it('shows connections that no worker has used, and those that work, with their last success', async () => {
  const unused = { name: 'unused', type: 'http', actor: null, enabled: false, state: 'Unused', workers: [] };
  expect(await read('unused')).toEqual(unused);
  const before = Date.now();
  await rig.run('get', 'COMPLETED');
  const { workers } = await reaches('api', 'Working');
  expect(workers).toMatchObject([{ circuit: 'Closed', inUse: 0, waiting: 0, nextAttemptAt: null, lastFailure: null }]);
  expect(Date.parse(workers[0]?.lastSuccessAt ?? '')).toBeGreaterThanOrEqual(before);
});

it('shows why a partner fails, without secrets, and until when it is left alone', async () => {
  await rig.run('send', 'ERROR');
  const failing = await reaches('mail', 'Failing');
  expect(failing.workers).toMatchObject([{ circuit: 'Closed', lastSuccessAt: null, nextAttemptAt: null }]);
  expect(failing.workers[0]?.lastFailure).toMatchObject({
    code: 'remote_refused',
    message: expect.stringContaining('******'),
  });
  await rig.run('send', 'ERROR');
  await rig.run('send', 'ERROR');
  const { workers } = await reaches('mail', 'Suspended');
  expect(workers[0]?.circuit).toBe('Open');
  expect(Date.parse(workers[0]?.nextAttemptAt ?? '')).toBeGreaterThan(Date.now());

  await using access = await platformAccess(rig.manager);
  const { code, out } = await runWaybill('connections', 'health', ...access.options);
  expect(code).toBe(0);
  expect(out).not.toContain('canary');
  expect(out.split('\n').map((line) => line.split(/\s+/u).slice(0, 3))).toEqual(
    expect.arrayContaining([
      ['CONNECTION', 'TYPE', 'STATE'],
      ['mail', 'smtp', 'Suspended'],
      ['unused', 'http', 'Disabled'],
    ]),
  );
});

it('shows and counts those that jobs use in processes of their own', async () => {
  await pause('Default Queue');
  const jobs = [await rig.submit('get alone'), await rig.submit('get dead')];
  for (const id of jobs) await rig.manager.reaches(id, 'SUSPENDED');
  await rig.platform.database.query('UPDATE jobs.active SET suspect = true WHERE job_id = ANY ($1)', [jobs]);
  await act('Default Queue', 'resume');
  const [working, failing] = await Promise.all([reaches('alone', 'Working'), reaches('dead', 'Failing')]);
  expect(working.workers).toMatchObject([{ circuit: 'Closed', inUse: 0, lastSuccessAt: expect.any(String) }]);
  expect(failing.workers[0]?.lastFailure?.code).toBe('connection_failed');
  for (const name of ['waybill_outbound_suspended', 'waybill_outbound_attempts_total']) {
    const labels = Object.keys(await readSamples(rig.manager.client, name)).join(' ');
    expect([name, labels]).toEqual([name, expect.stringMatching(/connection="dead"/u)]);
  }
});

it('needs the permission to read the configuration', async () => {
  const { client, viewer } = rig.manager;
  expect((await client.get(path)).status).toBe(401);
  expect((await client.get(path, { bearer: viewer })).status).toBe(403);
});

it('shows neither what killed workers have left, nor what it cannot read', async () => {
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = connectRedis({ url: rig.platform.redis.url, name: 'test', logger });
  stop.defer(() => redis.disconnect());
  const key = 'waybill:client-connections';
  const state = { name: 'unused', inUse: 0, idle: 0, waiting: 0, isOpen: true };
  const report = (reportedAt: Date) => JSON.stringify({ reportedAt, connections: [state] });
  await redis.hset(key, { killed: report(new Date(Date.now() - 25_000)), damaged: '{"reportedAt":', other: '[]' });
  expect((await read('unused'))?.state).toBe('Unused');
  expect(await redis.hmget(key, 'killed', 'damaged', 'other')).toEqual([null, null, null]);
  await redis.hset(key, { living: report(new Date()) });
  expect(await read('unused')).toMatchObject({ state: 'Suspended', workers: [{ worker: 'living', circuit: 'Open' }] });
});
