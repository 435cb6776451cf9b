import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { announceOwnSessions } from '../src/adapters/redis-own-sessions.ts';
import { createRedisSessionRegistry } from '../src/adapters/redis-session-registry.ts';
import { createRedisSessionTerminator } from '../src/adapters/redis-session-terminator.ts';

const logger = createLogger({ service: 'test', level: 'silent' });
const peer = (peerName: string) => ({ clusterName: 'cluster1', peerName, serverName: 'sftp-server' });
const session = {
  sessionId: 'A'.repeat(128),
  userName: userNameSchema.parse('acme'),
  clientIp: '/10.0.0.2:38666',
  clientPort: '38666',
  clientVersion: 'SSH-2.0-Test',
  openedAt: 1,
};
const ignore = () => {};
const order = { requestedBy: 'admin', reason: 'because' };

let server: TestRedis;
const connections: { disconnect(): void }[] = [];

function connect() {
  const redis = connectRedis({ url: server.url, name: 'test', logger });
  connections.push(redis);
  return redis;
}

beforeAll(async () => {
  server = await createTestRedis();
});
afterAll(async () => {
  for (const connection of connections) connection.disconnect();
  await server?.stop();
});

afterEach(() => {
  vi.useRealTimers();
});

describe('the session registry', () => {
  it('removes a peer that died, and its sessions, when the lease ends', async () => {
    const registry = createRedisSessionRegistry(connect());
    const dying = connect();
    const own = await announceOwnSessions({
      redis: dying,
      processId: randomUUID(),
      server: peer('dying'),
      failed: ignore,
      leaseMs: 600,
    });
    await own.add(session);
    expect(await registry.servers('cluster1', 'dying')).toEqual(['sftp-server']);
    expect(await registry.list(peer('dying'))).toEqual([session]);
    dying.disconnect();
    await waitFor(async () => (await registry.list(peer('dying'))).length === 0, { what: 'the end of the lease' });
    expect(await waitFor(async () => !(await registry.servers('cluster1', 'dying')), { what: 'its peer too' })).toBe(
      true,
    );
  });

  it('keeps a live peer, even through a crash of Redis', async () => {
    const registry = createRedisSessionRegistry(connect());
    await using own = await announceOwnSessions({
      redis: connect(),
      processId: randomUUID(),
      server: peer('living'),
      failed: ignore,
      leaseMs: 600,
    });
    await own.add(session);
    await server.kill();
    await server.restart();
    await server.flush();
    const found = await waitFor(async () => registry.find(peer('living'), session.sessionId), {
      what: 'the session to be put back',
    });
    expect(found).toEqual(session);
  });

  it('contains the sessions of several processes of one peer', async () => {
    const redis = connect();
    const registry = createRedisSessionRegistry(redis);
    const join = () =>
      announceOwnSessions({ redis, processId: randomUUID(), server: peer('several'), failed: ignore, leaseMs: 600 });
    await using first = await join();
    await using second = await join();
    await first.add(session);
    await second.add({ ...session, sessionId: 'B' });
    // Without renewals the leases would have ended by now.
    await delay(700);
    const listed = async () => (await registry.list(peer('several'))).map(({ sessionId }) => sessionId);
    await expect.poll(async () => (await listed()).toSorted()).toEqual([session.sessionId, 'B'].toSorted());
    expect(await registry.find(peer('several'), 'B')).toMatchObject({ sessionId: 'B' });
    await second.remove('B');
    expect(await registry.find(peer('several'), 'B')).toBeUndefined();
  });

  it('does not confuse peers whose names contain the separator', async () => {
    const redis = connect();
    const registry = createRedisSessionRegistry(redis);
    await using own = await announceOwnSessions({
      redis,
      processId: randomUUID(),
      server: peer('a:b'),
      failed: ignore,
    });
    await own.add(session);
    expect(await registry.list({ clusterName: 'cluster1:a', peerName: 'b', serverName: 'sftp-server' })).toEqual([]);
    expect(await registry.list(peer('a:b'))).toHaveLength(1);
  });
});

describe('the session terminator', () => {
  it('reports after a second that the peer does not answer, and immediately that there is none', async () => {
    const silent = connect();
    await silent.subscribe('waybill:sftp:requests:cluster1:silent');
    const terminator = await createRedisSessionTerminator({
      redis: connect(),
      subscriber: connect(),
      server: peer('asking'),
      terminateOwn: () => Promise.resolve(false),
      failed: ignore,
    });
    // From here on, time passes only when this test says so.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await expect(terminator.terminate(peer('nobody'), 'A', order)).rejects.toMatchObject({
      code: 'peer_not_answering',
    });
    const asked = new Promise((resolve) => silent.once('message', resolve));
    let refused = false;
    const answer = terminator.terminate(peer('silent'), 'A', order).catch((error: unknown) => {
      refused = true;
      return error;
    });
    await asked;
    await vi.advanceTimersByTimeAsync(999);
    expect(refused).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await answer).toMatchObject({ code: 'peer_not_answering' });
  });

  it('survives foreign messages', async () => {
    const redis = connect();
    const terminator = await createRedisSessionTerminator({
      redis,
      subscriber: connect(),
      server: peer('robust'),
      terminateOwn: (sessionId) => Promise.resolve(sessionId === 'mine'),
      failed: ignore,
    });
    for (const message of ['', 'null', '{}', '{"requestId":1}']) {
      await redis.publish('waybill:sftp:requests:cluster1:robust', message);
    }
    expect(await terminator.terminate(peer('robust'), 'mine', order)).toBe(true);
    expect(await terminator.terminate(peer('robust'), 'another', order)).toBe(false);
    expect(await terminator.terminate({ ...peer('robust'), serverName: 'other' }, 'mine', order)).toBe(false);
  });
});
