import { type UserName, userNameSchema } from '@waybill/contracts/values/user-name';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoginBans } from '../src/create-login-bans.ts';
import { createLoginThrottle, type ThrottleOptions } from '../src/create-login-throttle.ts';
import { judgeLogin } from '../src/judge-login.ts';
import type { LoginThrottle } from '../src/login-throttle.ts';

const megabyte = 1024 * 1024;
const userName = userNameSchema.parse('acme');
const countNetwork = createNetworkCounter(64);
let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await createTestRedis();
  redis = connectRedis({ url: server.url, name: 'test', logger: createLogger({ service: 'test', level: 'silent' }) });
});
beforeEach(async () => {
  await redis.flushall();
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const throttleWith = (options: Partial<ThrottleOptions> = {}) =>
  createLoginThrottle({
    redis,
    scope: 'sftp',
    limits: { perUser: 3, perAddress: 5, windowSeconds: 300 },
    countNetwork,
    ...options,
  });

const ipv4 = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
const ofOneNetwork = (index: number) => `2001:db8:1:2::${index.toString(16)}`;
const ofManyNetworks = (index: number) => `2001:db8:${(index >> 8).toString(16)}:${index.toString(16)}::1`;

interface Flood {
  addressOf(index: number): string;
  readonly addresses?: number;
  readonly name?: UserName;
}

/** How a failed login from each of 10 000 addresses ended, by count. */
async function flood(throttle: LoginThrottle, { addressOf, addresses = 10_000, name = userName }: Flood) {
  const outcomes = { failed: 0, refused: 0 };
  const attempts = Array.from({ length: addresses }, (_, index) => ({
    userName: name,
    clientAddress: addressOf(index),
  }));
  const guess = async () => {
    for (let attempt = attempts.pop(); attempt !== undefined; attempt = attempts.pop()) {
      const judged = judgeLogin(throttle, attempt, async () => undefined);
      const outcome = await judged.then(
        () => 'failed' as const,
        () => 'refused' as const,
      );
      outcomes[outcome] += 1;
    }
  };
  await Promise.all(Array.from({ length: 50 }, guess));
  return outcomes;
}

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/u.exec(await redis.info('memory'))?.[1]);
}

/** A flood is tens of thousands of commands. */
const patience = { timeout: 300_000 };

describe('failed logins from 10 000 addresses', patience, () => {
  it('use two keys and little memory, whatever names they try', async () => {
    const before = await usedMemory();
    const addressOf = (index: number) => (index % 2 === 0 ? ipv4(index) : ofManyNetworks(index));
    const name = userNameSchema.parse('\u{1F600}'.repeat(255));
    expect(await flood(throttleWith(), { addressOf, name })).toEqual({ failed: 10_000, refused: 0 });
    const keys = ['waybill:logins:sftp:expiries', 'waybill:logins:sftp:failures'];
    expect((await redis.keys('*')).toSorted()).toEqual(keys);
    // Two subjects for each address.
    expect(await redis.hlen('waybill:logins:sftp:failures')).toBe(20_000);
    expect((await usedMemory()) - before).toBeLessThan(8 * megabyte);
  });

  it('are forgotten from the first on where there are more than are kept, and bans last', async () => {
    const throttle = throttleWith({ subjectsAtMost: 1_000, banSeconds: 900 });
    const guess = () => judgeLogin(throttle, { userName, clientAddress: '192.0.2.1' }, async () => undefined);
    for (let count = 0; count < 3; count += 1) await guess();
    await flood(throttle, { addressOf: ipv4 });
    expect(await redis.hlen('waybill:logins:sftp:failures')).toBe(1_000);
    expect(await redis.zcard('waybill:logins:sftp:expiries')).toBe(1_000);
    // A ban lasts longer than failures count, so that a flood does not end it.
    await expect(guess()).rejects.toMatchObject({ code: 'too_many_requests' });
    const last = await redis.zrevrange('waybill:logins:sftp:expiries', 0, 99);
    expect(await redis.hmget('waybill:logins:sftp:failures', ...last)).not.toContain(null);
  });

  it('leave no more bans than can be listed, and those still refuse that are not listed', async () => {
    const throttle = throttleWith({ limits: { perUser: 1, perAddress: 1, windowSeconds: 900 }, banSeconds: 900 });
    await flood(throttle, { addressOf: ipv4 });
    expect(await redis.zcard('waybill:login-bans:sftp')).toBe(10_000);
    expect(await createLoginBans({ redis, scope: 'sftp', countNetwork }).list()).toHaveLength(10_000);
    expect(await flood(throttle, { addressOf: ipv4 })).toEqual({ failed: 0, refused: 10_000 });
  });

  it('of one IPv6 network are those of one client', async () => {
    expect(await flood(throttleWith(), { addressOf: ofOneNetwork })).toEqual({ failed: 3, refused: 9_997 });
    const { ['address:2001:db8:1:2::/64']: ofNetwork, ...others } = await redis.hgetall('waybill:logins:sftp:failures');
    expect([ofNetwork, Object.values(others)]).toEqual(['3', ['3']]);
  });

  it('and all their data expires without another login', async () => {
    const limits = { perUser: 1, perAddress: 2, windowSeconds: 1 };
    await flood(throttleWith({ limits, banSeconds: 1 }), { addressOf: ipv4, addresses: 500 });
    await waitFor(async () => (await redis.dbsize()) === 0, { what: 'all keys to expire', timeoutMs: 60_000 });
  });
});

describe('attempts that are being judged', () => {
  it('are keys only until then', async () => {
    const throttle = throttleWith();
    const attempt = { userName, clientAddress: '192.0.2.9' };
    await throttle.admit(attempt);
    expect(await redis.keys('*')).toHaveLength(2);
    await throttle.settle(attempt, 'not judged');
    expect(await redis.dbsize()).toBe(0);
  });

  it('are not counted below nothing when they are settled after they were forgotten', async () => {
    const throttle = throttleWith();
    const attempt = { userName, clientAddress: '192.0.2.10' };
    for (let count = 0; count < 10; count += 1) await throttle.settle(attempt, 'not judged');
    await Promise.all([1, 2, 3].map(() => throttle.admit(attempt)));
    expect(Math.max(...(await Promise.all((await redis.keys('*')).map((key) => redis.get(key)))).map(Number))).toBe(3);
  });
});
