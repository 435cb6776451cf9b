import { userNameSchema } from '@waybill/contracts/values/user-name';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestRedis, type TestRedis } from '@waybill/test-kit/create-test-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLoginBans } from '../src/create-login-bans.ts';
import { createLoginThrottle } from '../src/create-login-throttle.ts';
import { joinLoginBans } from '../src/join-login-bans.ts';
import { judgeLogin } from '../src/judge-login.ts';
import type { BannedSubject } from '../src/login-ban.ts';
import type { LoginThrottle } from '../src/login-throttle.ts';
import { tolerateOutage } from '../src/tolerate-outage.ts';

const limits = { perUser: 2, perAddress: 4, windowSeconds: 60 };
const countNetwork = createNetworkCounter(64);
const tooMany = { code: 'too_many_requests' };

let server: TestRedis;
let redis: RedisConnection;

beforeAll(async () => {
  server = await createTestRedis();
  redis = connectRedis({ url: server.url, name: 'test', logger: createLogger({ service: 'test', level: 'silent' }) });
});
afterAll(async () => {
  redis?.disconnect();
  await server?.stop();
});

const fail = (throttle: LoginThrottle, userName: string, clientAddress: string) =>
  judgeLogin(throttle, { userName: userNameSchema.parse(userName), clientAddress }, async () => undefined);
const pass = (throttle: LoginThrottle, userName: string, clientAddress: string) =>
  judgeLogin(throttle, { userName: userNameSchema.parse(userName), clientAddress }, async () => userName);

const doors = ['http', 'manager', 'sftp'] as const;

describe.each(doors)('at the door %s', (scope) => {
  it('a try that an outage kept from being judged is not counted', async () => {
    const throttle = createLoginThrottle({ redis, scope, limits, countNetwork });
    const attempt = { userName: userNameSchema.parse('acme'), clientAddress: '198.51.100.1' };
    for (let count = 0; count < 10; count += 1) {
      const judged = judgeLogin(throttle, attempt, () => Promise.reject(new Error('the database is away')));
      await expect(judged).rejects.toThrow('the database is away');
    }
    expect(await pass(throttle, 'acme', '198.51.100.1')).toBe('acme');
  });

  it('failures close only this interface', async () => {
    const address = `198.51.100.${doors.indexOf(scope) + 2}`;
    const throttle = createLoginThrottle({ redis, scope, limits, countNetwork });
    await fail(throttle, 'globex', address);
    await fail(throttle, 'globex', address);
    await expect(pass(throttle, 'globex', address)).rejects.toMatchObject(tooMany);
    for (const other of doors.filter((name) => name !== scope)) {
      const elsewhere = createLoginThrottle({ redis, scope: other, limits, countNetwork });
      expect(await pass(elsewhere, 'globex', address)).toBe('globex');
    }
  });
});

describe('a ban', () => {
  const begun: unknown[] = [];
  const banning = (seconds: number) =>
    createLoginThrottle({
      redis,
      scope: 'sftp',
      limits,
      countNetwork,
      banSeconds: seconds,
      onBan: async (subject, lasting) => void begun.push([subject, lasting]),
    });
  const bans = () => createLoginBans({ redis, scope: 'sftp', countNetwork });

  it('of a user from one address affects neither the user elsewhere nor others there', async () => {
    const throttle = banning(300);
    for (let count = 0; count < limits.perUser; count += 1) await fail(throttle, 'initech', '203.0.113.1');
    await expect(pass(throttle, 'initech', '203.0.113.1')).rejects.toMatchObject(tooMany);
    expect(await pass(throttle, 'initech', '203.0.113.2')).toBe('initech');
    expect(await pass(throttle, 'hooli', '203.0.113.1')).toBe('hooli');
    expect(await bans().isBanned('203.0.113.1')).toBe(false);
    const ban = (await bans().list()).find(({ address }) => address === '203.0.113.1');
    expect(ban).toEqual({ scope: 'sftp', address: '203.0.113.1', userName: 'initech', until: expect.any(Date) });
    const seconds = ((ban?.until.getTime() ?? 0) - Date.now()) / 1000;
    expect(seconds).toBeGreaterThan(290);
    expect(seconds).toBeLessThan(302);
    expect(begun).toEqual([[{ address: '203.0.113.1', userName: 'initech' }, 300]]);
  });

  it('of an address keeps everybody there out, until an administrator lifts it', async () => {
    const throttle = banning(300);
    for (let count = 0; count < limits.perAddress; count += 1) await fail(throttle, `guess${count}`, '2001:db8::7');
    expect(await bans().isBanned('2001:db8::7')).toBe(true);
    await expect(pass(throttle, 'hooli', '2001:db8::7')).rejects.toMatchObject(tooMany);
    expect(await bans().lift('2001:db8::7')).toMatchObject([{ address: '2001:db8::/64' }]);
    expect(await bans().isBanned('2001:db8::7')).toBe(false);
    expect(await pass(throttle, 'hooli', '2001:db8::7')).toBe('hooli');
    expect(await bans().lift('2001:db8::7')).toEqual([]);
  });

  it('expires', async () => {
    const throttle = banning(1);
    for (let count = 0; count < limits.perAddress; count += 1) await fail(throttle, `guess${count}`, '203.0.113.9');
    await expect(pass(throttle, 'hooli', '203.0.113.9')).rejects.toMatchObject(tooMany);
    const back = await waitFor(() => pass(throttle, 'hooli', '203.0.113.9'), { what: 'the end of the ban' });
    expect(back).toBe('hooli');
    expect((await bans().list()).filter(({ address }) => address === '203.0.113.9')).toEqual([]);
  });
});

describe('the addresses of an IPv6 network', () => {
  const throttle = () => createLoginThrottle({ redis, scope: 'sftp', limits, countNetwork, banSeconds: 300 });
  const bans = () => createLoginBans({ redis, scope: 'sftp', countNetwork });

  it('are counted and banned as one, and a neighbour network is not', async () => {
    for (const host of ['1', '2', 'ffff:1', 'ffff:2']) await fail(throttle(), `guess${host}`, `2001:db8:7:7::${host}`);
    expect(await bans().isBanned('2001:db8:7:7:dead:beef::1')).toBe(true);
    expect(await bans().isBanned('2001:DB8:7:7::%eth0')).toBe(true);
    expect(await bans().isBanned('2001:db8:7:8::1')).toBe(false);
    await expect(pass(throttle(), 'hooli', '2001:db8:7:7::abcd')).rejects.toMatchObject(tooMany);
    expect(await pass(throttle(), 'hooli', '2001:db8:7:8::1')).toBe('hooli');
    expect(await bans().list()).toContainEqual({
      scope: 'sftp',
      address: '2001:db8:7:7::/64',
      until: expect.any(Date),
    });
  });

  it.each(['2001:db8:7:7::5', '2001:DB8:7:7::/64', '2001:db8:7:7:ffff::/64'])(
    'are admitted again by %s',
    async (given) => {
      await bans().lift('2001:db8:7:7::/64');
      for (let count = 0; count < 4; count += 1) await fail(throttle(), `${given}-${count}`, '2001:db8:7:7::1');
      expect(await bans().lift(given)).toMatchObject([{ address: '2001:db8:7:7::/64' }]);
      expect(await pass(throttle(), 'hooli', '2001:db8:7:7::1')).toBe('hooli');
    },
  );

  it('are found by an address when the size of networks has changed since', async () => {
    for (let count = 0; count < 4; count += 1) await fail(throttle(), `guess${count}`, '2001:db8:7:9::1');
    const wider = createLoginBans({ redis, scope: 'sftp', countNetwork: createNetworkCounter(48) });
    expect(await wider.lift('2001:db8:7:9::2')).toMatchObject([{ address: '2001:db8:7:9::/64' }]);
  });

  it('do not hide an IPv4 address, which counts as itself in any form', async () => {
    for (let count = 0; count < 4; count += 1) await fail(throttle(), `guess${count}`, '::ffff:203.0.113.77');
    expect(await bans().isBanned('203.0.113.77')).toBe(true);
    expect(await bans().isBanned('::FFFF:CB00:714D')).toBe(true);
    expect(await bans().isBanned('203.0.113.78')).toBe(false);
    expect(await bans().lift('::ffff:203.0.113.77')).toMatchObject([{ address: '203.0.113.77' }]);
  });

  it.each(['nowhere', '10.0.0.0/8', '::/129', ''])('are not admitted by %j', async (given) => {
    expect(await bans().lift(given)).toEqual([]);
  });
});

it('a name is counted as one in all its Unicode forms', async () => {
  const throttle = createLoginThrottle({ redis, scope: 'sftp', limits, countNetwork });
  await fail(throttle, 'm\u00fcller', '203.0.113.80');
  await fail(throttle, 'mu\u0308ller', '203.0.113.80');
  await expect(pass(throttle, 'm\u00fcller', '203.0.113.80')).rejects.toMatchObject(tooMany);
});

describe.each(['http', 'manager'] as const)(
  'a client with too many failures at the interface %s, which has no longer bans',
  (scope) => {
    const throttle = () => createLoginThrottle({ redis, scope, limits, countNetwork });
    const bans = () => joinLoginBans(doors.map((door) => createLoginBans({ redis, scope: door, countNetwork })));

    it('is reported once for each lockout, on whichever peer the last failure occurs and however many occur at once', async () => {
      const address = `203.0.113.${doors.indexOf(scope) + 50}`;
      const told: (BannedSubject & { seconds: number })[] = [];
      const onBan = async (subject: BannedSubject, seconds: number) => void told.push({ ...subject, seconds });
      const peers = [0, 1].map(() => createLoginThrottle({ redis, scope, limits, countNetwork, onBan }));
      const guesses = ['acme', 'acme', 'acme', 'globex', 'globex', 'hooli', 'hooli', 'acme'];
      const failAll = () =>
        Promise.allSettled(guesses.flatMap((name) => peers.map((peer) => fail(peer, name, address))));
      const seconds = limits.windowSeconds;
      await failAll();
      const users = told.filter(({ userName }) => userName !== undefined);
      expect(told.filter(({ userName }) => userName === undefined)).toEqual([{ address, seconds }]);
      expect(new Set(users.map((ban) => JSON.stringify(ban))).size).toBe(users.length);
      const before = told.length;
      await failAll();
      expect(told).toHaveLength(before);
      await bans().lift(address);
      await failAll();
      expect(told.slice(before)).toContainEqual({ address, seconds });
    });

    it('is listed among the bans of all interfaces until the failures expire, and admitted when they are lifted', async () => {
      const address = `203.0.113.${doors.indexOf(scope) + 40}`;
      for (let count = 0; count < limits.perUser; count += 1) await fail(throttle(), 'acme', address);
      await expect(pass(throttle(), 'acme', address)).rejects.toMatchObject(tooMany);
      const banned = async () => (await bans().list()).filter((ban) => ban.address === address);
      expect(await banned()).toEqual([{ scope, address, userName: 'acme', until: expect.any(Date) }]);
      const seconds = (((await banned())[0]?.until.getTime() ?? 0) - Date.now()) / 1000;
      expect(seconds).toBeGreaterThan(limits.windowSeconds - 10);
      expect(seconds).toBeLessThan(limits.windowSeconds + 2);
      expect(await bans().lift(address)).toMatchObject([{ scope, userName: 'acme' }]);
      expect(await banned()).toEqual([]);
      expect(await pass(throttle(), 'acme', address)).toBe('acme');
    });
  },
);

it('while Redis is unavailable no user is locked out, and the outage is reported', async () => {
  const told: unknown[] = [];
  const throttle = tolerateOutage(createLoginThrottle({ redis, scope: 'sftp', limits, countNetwork }), (error) =>
    told.push(error),
  );
  await server.kill();
  expect(await pass(throttle, 'acme', '203.0.113.20')).toBe('acme');
  expect(told).toHaveLength(2);
  await server.restart();
});
