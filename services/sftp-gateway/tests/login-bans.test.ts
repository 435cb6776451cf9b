import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { commonRefusals } from '@waybill/http-kit/routing/common-refusals';
import { createLoginThrottle } from '@waybill/login-throttle/create-login-throttle';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/network/counted-network';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { logInFrom } from './balanced-login.ts';
import type { RunningGateway } from './gateway-rig.ts';
import { twoGateways } from './test-gateways.ts';

const path = '/platform-application/api/v1/infrastructure/login-bans';
const peers = twoGateways({
  env: {
    SFTP_LOGIN_FAILURES_PER_USER: '2',
    SFTP_LOGIN_FAILURES_PER_ADDRESS: '4',
    SFTP_PROXY_PROTOCOL_FROM: '127.0.0.2/32',
    SFTP_BAN_EXEMPT: '10.7.0.0/16,2001:db8::/32',
  },
});

const ask = (method: 'GET' | 'DELETE', address = '') =>
  createHttpClient(peers.second.httpUrl).request(method, `${path}${address && `/${encodeURIComponent(address)}`}`, {
    bearer: peers.rig.tokenOf('Administrators'),
  });

const logIn = (gateway: RunningGateway, from: string, password?: string, user?: string) =>
  logInFrom({ port: gateway.sftpPort, from, password, user });

describe('a client that fails to log in too often', () => {
  it('is banned for that user from that address, on every gateway, and told the reason', async () => {
    expect(await logIn(peers.first, '10.1.1.1', 'wrong')).toBe('refused');
    expect(await logIn(peers.second, '10.1.1.1', 'wrong')).toBe('refused');
    expect(await logIn(peers.first, '10.1.1.1')).toMatch(/Too many failed logins: try again in \d+ s/u);
    expect(await logIn(peers.second, '10.1.1.2')).toBe('in');
    expect(await logIn(peers.second, '10.1.1.1', 'acme-demo', 'acme')).toBe('in');
  });

  it('for any users is banned by its address, before SSH starts', async () => {
    for (const user of ['a', 'b', 'c', 'd'])
      expect(await logIn(peers.first, '10.2.2.2', 'wrong', user)).toBe('refused');
    expect(await logIn(peers.second, '10.2.2.2')).toBe('Too many failed logins: try again later\r\n');
    expect(await logIn(peers.second, '10.2.2.3')).toBe('in');
  });

  it('is shown with the end of the ban, and an administrator lifts it with immediate effect', async () => {
    const bans = (await ask('GET')).json();
    expect(bans).toEqual({
      bans: expect.arrayContaining([
        { door: 'sftp', address: '10.1.1.1', userName: 'globex', until: expect.stringMatching(/^20.*Z$/u) },
        { door: 'sftp', address: '10.2.2.2', userName: null, until: expect.any(String) },
      ]),
    });
    expect((await ask('DELETE', '10.2.2.2')).json()).toMatchObject({ bans: [{ address: '10.2.2.2', userName: null }] });
    expect(await logIn(peers.first, '10.2.2.2')).toBe('in');
    expect((await ask('DELETE', '10.1.1.1')).status).toBe(200);
    expect(await logIn(peers.first, '10.1.1.1')).toBe('in');
    const again = await ask('DELETE', '10.1.1.1');
    expect([again.status, again.json()]).toEqual([404, expect.objectContaining({ code: 'ban_unknown' })]);
    const nowhere = await ask('DELETE', 'nowhere');
    expect([nowhere.status, nowhere.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'validation_failed',
        detail: 'address: is not an IP address',
        errors: [{ field: 'address', message: 'is not an IP address' }],
      }),
    ]);
  });

  it('is shown and lifted by the same requests if the logins were over HTTP', async () => {
    const redis = connectRedis({
      url: peers.rig.redis.url,
      name: 'test',
      logger: createLogger({ service: 'test', level: 'silent' }),
    });
    const limits = { perUser: 2, perAddress: 9, windowSeconds: 60 };
    const throttle = createLoginThrottle({ redis, scope: 'http', limits, countNetwork: createNetworkCounter(64) });
    const attempt = { userName: userNameSchema.parse('globex'), clientAddress: '10.5.5.5' };
    for (let count = 0; count < limits.perUser; count += 1) await judgeLogin(throttle, attempt, async () => undefined);
    const ban = { door: 'http', address: '10.5.5.5', userName: 'globex' };
    expect((await ask('GET')).json()).toMatchObject({ bans: expect.arrayContaining([expect.objectContaining(ban)]) });
    expect((await ask('DELETE', '10.5.5.5')).json()).toMatchObject({ bans: [ban] });
    expect(await judgeLogin(throttle, attempt, async () => 'in')).toBe('in');
    redis.disconnect();
  });

  it('is audited: the ban, the refused logins, and who lifted it', async () => {
    const messages = await waitFor(
      async () => {
        const all = (await peers.rig.audited()).map(({ auditMessage }) => auditMessage);
        return all.some((message) => message.startsWith('Logins of everybody')) ? all : undefined;
      },
      { what: 'the ban to be audited' },
    );
    expect(messages).toContain('Logins of user globex from 10.1.1.1 are refused for 900 s');
    expect(messages).toContain('Logins of everybody from 10.2.2.2 are refused for 900 s');
    expect(messages).toContain('User admin has lifted the ban of everybody from 10.2.2.2');
    expect(messages.some((message) => message.startsWith('User globex was turned away: Too many failed'))).toBe(true);
  });

  it.each(['10.7.1.1', '2001:db8::1'])('is not banned in an exempt network such as that of %s', async (address) => {
    for (let count = 0; count < 5; count += 1) expect(await logIn(peers.first, address, 'wrong')).toBe('refused');
    expect(await logIn(peers.first, address)).toBe('in');
  });

  it('is told so during an outage of the database, and not counted', async () => {
    await peers.rig.database.query('alter table directory.partner_users rename to partner_users_away');
    for (let count = 0; count < 4; count += 1)
      expect(await logIn(peers.first, '10.3.3.3')).toContain('try again later');
    await peers.rig.database.query('alter table directory.partner_users_away rename to partner_users');
    expect(await logIn(peers.second, '10.3.3.3')).toBe('in');
  });

  it('can log in during an outage of Redis', async () => {
    for (let count = 0; count < 2; count += 1) await logIn(peers.first, '10.4.4.4', 'wrong');
    await peers.rig.redis.kill();
    expect(await logIn(peers.first, '10.4.4.4')).toBe('in');
    await peers.rig.redis.restart();
  });
});

describe('a wrong request', () => {
  const cases = commonRefusals({
    routes: [listLoginBansEndpoint, liftLoginBanEndpoint].map((endpoint) => ({ endpoint, path: endpoint.path })),
    baseUrl: () => peers.first.httpUrl,
    permitted: async () => ({ authorization: `Bearer ${peers.rig.tokenOf('Administrators')}` }),
    withRole: async (role) => ({ authorization: `Bearer ${peers.rig.tokenOf(role)}` }),
  });
  it.each(cases)('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
