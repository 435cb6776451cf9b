import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { Client } from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createRedisSessionSlots } from '../src/adapters/redis-session-slots.ts';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

let rig: GatewayRig;
let gateways: RunningGateway[];
const clients = new Set<Client>();

beforeAll(async () => {
  rig = await createGatewayRig();
  gateways = await Promise.all([rig.start('peer1'), rig.start('peer2')]);
});
afterEach(async () => {
  await Promise.all([...clients].map(leave));
  const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions';
  const count = async () => {
    const answer = await createHttpClient(gateways[0]?.httpUrl ?? '').get(path, { bearer: rig.tokenOf('Users') });
    return (answer.json() as { totalCount: number }).totalCount;
  };
  await waitFor(async () => (await count()) === 0, { what: 'the sessions to be gone' });
  await limit({});
});
afterAll(async () => {
  await Promise.all((gateways ?? []).map((gateway) => gateway[Symbol.asyncDispose]()));
  await rig?.[Symbol.asyncDispose]();
});

async function limit({ ofUser, ofEveryUser, ofServer }: { ofUser?: number; ofEveryUser?: number; ofServer?: number }) {
  await rig.database.query("update directory.partner_users set max_sessions = $1 where name = 'globex'", [
    ofUser ?? null,
  ]);
  await rig.database.query('update directory.servers set max_sessions = $1, max_sessions_per_user = $2', [
    ofServer ?? null,
    ofEveryUser ?? null,
  ]);
  // The gateways' view of the configuration is at most a second old; nothing shows which one they have.
  await delay(1_050);
}

/** Returns the client after its login, or undefined if it was refused. */
async function enter(gateway: RunningGateway | undefined, user = 'globex'): Promise<Client | undefined> {
  const client = new Client();
  client.on('error', () => {});
  const closed = once(client, 'close');
  const ready = once(client, 'ready').then(() => client);
  ready.catch(() => {});
  client.connect({
    host: '127.0.0.1',
    port: gateway?.sftpPort ?? 0,
    username: user,
    password: `${user}-demo`,
    readyTimeout: 30_000,
  });
  const entered = await Promise.race([ready, closed.then(() => undefined)]);
  if (entered !== undefined) clients.add(entered);
  return entered;
}

async function leave(client: Client): Promise<void> {
  clients.delete(client);
  const closed = once(client, 'close');
  client.end();
  await closed;
}

describe('sessions of a user', () => {
  it('never exceed the limit, with fifty logins at once on two gateways, and a free place is used at once', async () => {
    await limit({ ofUser: 7 });
    const entered = await Promise.all(Array.from({ length: 50 }, (_, index) => enter(gateways[index % 2])));
    const inside = entered.filter((client) => client !== undefined);
    expect(inside).toHaveLength(7);
    expect(await enter(gateways[0])).toBeUndefined();
    const [first] = inside;
    if (first !== undefined) await leave(first);
    const next = await waitFor(() => enter(gateways[1]), { what: 'the free place to be taken' });
    expect(next).toBeInstanceOf(Client);
  });

  it('are limited by the server if the user has no limit, and other users have separate places', async () => {
    await limit({ ofEveryUser: 1 });
    expect(await enter(gateways[0])).toBeDefined();
    expect(await enter(gateways[1])).toBeUndefined();
    expect(await enter(gateways[1], 'acme')).toBeDefined();
  });

  it('beyond the limit are told the reason, and are audited as refused logins', async () => {
    await limit({ ofUser: 1 });
    await enter(gateways[0]);
    const login = { port: gateways[1]?.sftpPort ?? 0, user: 'globex', password: 'globex-demo', commands: ['pwd'] };
    const outcome = await runSftp(login);
    expect(outcome.exitCode).not.toBe(0);
    expect(outcome.stderr).toContain('Too many open sessions: user globex may have 1');
    const messages = (await rig.audited()).map(({ auditMessage }) => auditMessage);
    const reason = 'Too many open sessions: user globex may have 1. Close one, or try again later';
    expect(messages).toContain(`User globex was turned away: ${reason}`);
  });
});

it('sessions of a server are limited over all its peers', async () => {
  await limit({ ofServer: 2 });
  expect(await enter(gateways[0], 'acme')).toBeDefined();
  expect(await enter(gateways[1], 'globex')).toBeDefined();
  expect(await enter(gateways[0], 'globex')).toBeUndefined();
});

it('without Redis partners can still log in', async () => {
  await limit({ ofUser: 1 });
  await rig.redis.kill();
  expect(await enter(gateways[0])).toBeDefined();
  await rig.redis.restart();
});

it('the places of a killed process are freed when its lease ends, not before', async () => {
  const redis = connectRedis({
    url: rig.redis.url,
    name: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  await redis.ping();
  const server = { clusterName: 'cluster1', peerName: 'peer', serverName: 'elsewhere' };
  const limits = { ofServer: 1, ofUser: 1 };
  const leaseMs = 1_500;
  const slots = () => createRedisSessionSlots({ redis, server, leaseMs, failed: () => {} });
  const [killed, living] = [slots(), slots()];
  await killed.take({ sessionId: 'a', userName: userNameSchema.parse('acme') }, limits);
  const full = { code: 'session_limit_reached' };
  await expect(living.take({ sessionId: 'b', userName: userNameSchema.parse('acme') }, limits)).rejects.toMatchObject(
    full,
  );
  // Without renewals the lease would have ended by now.
  await delay(1.2 * leaseMs);
  await expect(living.take({ sessionId: 'b', userName: userNameSchema.parse('acme') }, limits)).rejects.toMatchObject(
    full,
  );
  killed[Symbol.dispose]();
  const taken = () =>
    living.take({ sessionId: 'b', userName: userNameSchema.parse('acme') }, limits).then(
      () => true,
      () => false,
    );
  expect(await waitFor(taken, { what: 'the end of the lease' })).toBe(true);
  living[Symbol.dispose]();
  redis.disconnect();
});
