import { userNameSchema } from '@waybill/contracts/user-name';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/counted-network';
import { createLogger } from '@waybill/service-kit/logger';
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

/** How the failed logins of 10 000 addresses ended, by count. */
async function flood(throttle: LoginThrottle, addressOf: (index: number) => string, name = userName) {
  const outcomes = { failed: 0, refused: 0 };
  const attempts = Array.from({ length: 10_000 }, (_, index) => ({ userName: name, clientAddress: addressOf(index) }));
  const guess = async () => {
    for (let attempt = attempts.pop(); attempt !== undefined; attempt = attempts.pop()) {
      const judged = judgeLogin(throttle, attempt, async () => undefined);
      outcomes[
        await judged.then(
          () => 'failed' as const,
          () => 'refused' as const,
        )
      ] += 1;
    }
  };
  await Promise.all(Array.from({ length: 100 }, guess));
  return outcomes;
}

async function usedMemory(): Promise<number> {
  return Number(/used_memory:(\d+)/u.exec(await redis.info('memory'))?.[1]);
}

describe('failed logins from 10 000 addresses', () => {
  it.each([
    ['of IPv4', ipv4],
    ['of as many IPv6 networks', ofManyNetworks],
  ])('%s take two keys and little memory', async (_what, addressOf) => {
    const before = await usedMemory();
    expect(await flood(throttleWith(), addressOf)).toEqual({ failed: 10_000, refused: 0 });
    expect((await redis.keys('*')).toSorted()).toEqual([
      'waybill:logins:sftp:expiries',
      'waybill:logins:sftp:failures',
    ]);
    // Two subjects for each address.
    expect(await redis.hlen('waybill:logins:sftp:failures')).toBe(20_000);
    expect((await usedMemory()) - before).toBeLessThan(8 * megabyte);
  });

  it('are forgotten from the first on where there are more than are kept, and the last ones count', async () => {
    const throttle = throttleWith({ subjectsAtMost: 1_000, banSeconds: 900 });
    const guess = () => judgeLogin(throttle, { userName, clientAddress: '192.0.2.1' }, async () => undefined);
    for (let count = 0; count < 3; count += 1) await guess();
    await flood(throttle, ipv4);
    expect(await redis.hlen('waybill:logins:sftp:failures')).toBe(1_000);
    expect(await redis.zcard('waybill:logins:sftp:expiries')).toBe(1_000);
    // A ban lasts longer than failures count, so that a flood does not end it.
    await expect(guess()).rejects.toMatchObject({ code: 'too_many_requests' });
    const last = await redis.zrevrange('waybill:logins:sftp:expiries', 0, 99);
    expect(await redis.hmget('waybill:logins:sftp:failures', ...last)).not.toContain(null);
  });

  it('leave no more bans than can be listed, and those still refuse that are not listed', async () => {
    const throttle = throttleWith({ limits: { perUser: 1, perAddress: 2, windowSeconds: 300 }, banSeconds: 900 });
    await flood(throttle, ipv4);
    await flood(throttle, ipv4, userNameSchema.parse('globex'));
    expect(await redis.zcard('waybill:login-bans:sftp')).toBe(10_000);
    expect(await createLoginBans({ redis, scope: 'sftp', countNetwork }).list()).toHaveLength(10_000);
    expect(await flood(throttle, ipv4)).toEqual({ failed: 0, refused: 10_000 });
  });

  it('of one IPv6 network are those of one client', async () => {
    const { failed } = await flood(
      throttleWith({ limits: { perUser: 3, perAddress: 5, windowSeconds: 300 } }),
      ofOneNetwork,
    );
    expect(failed).toBe(3);
    expect(Object.entries(await redis.hgetall('waybill:logins:sftp:failures')).toSorted()).toEqual([
      ['address:2001:db8:1:2::/64', '3'],
      [expect.stringMatching(/^user:.*:2001:db8:1:2::\/64$/u), '3'],
    ]);
  });

  it('and everything about them is gone when their time is over, without another login', async () => {
    const limits = { perUser: 1, perAddress: 2, windowSeconds: 1 };
    await flood(throttleWith({ limits, banSeconds: 1 }), ipv4);
    await waitFor(async () => (await redis.dbsize()) === 0, { what: 'all keys to expire' });
  });

  it('of names without end take no more room than others', async () => {
    const before = await usedMemory();
    await flood(throttleWith(), ipv4, userNameSchema.parse('\u{1F600}'.repeat(255)));
    expect((await usedMemory()) - before).toBeLessThan(8 * megabyte);
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
