import { once } from 'node:events';
import { connect } from 'node:net';
import { liftLoginBanEndpoint } from '@waybill/contracts/endpoints/login-bans/lift-login-ban';
import { listLoginBansEndpoint } from '@waybill/contracts/endpoints/login-bans/list-login-bans';
import { userNameSchema } from '@waybill/contracts/user-name';
import { commonRefusals } from '@waybill/http-kit/common-refusals';
import { createLoginThrottle } from '@waybill/login-throttle/create-login-throttle';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createNetworkCounter } from '@waybill/service-kit/counted-network';
import { createLogger } from '@waybill/service-kit/logger';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { Client } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';

const path = '/platform-application/api/v1/infrastructure/login-bans';
let rig: GatewayRig;
let first: RunningGateway;
let second: RunningGateway;

beforeAll(async () => {
  rig = await createGatewayRig();
  const env = {
    SFTP_LOGIN_FAILURES_PER_USER: '2',
    SFTP_LOGIN_FAILURES_PER_ADDRESS: '4',
    SFTP_PROXY_PROTOCOL_FROM: '127.0.0.2/32',
    SFTP_BAN_EXEMPT: '10.7.0.0/16,2001:db8::/32',
  };
  [first, second] = await Promise.all([rig.start('peer1', env), rig.start('peer2', env)]);
});
afterAll(async () => {
  await Promise.all([first?.[Symbol.asyncDispose](), second?.[Symbol.asyncDispose]()]);
  await rig?.[Symbol.asyncDispose]();
});

/** PROXY protocol v2 for a client at this address. */
function headerOf(address: string): Buffer {
  const isV6 = address.includes(':');
  const header = Buffer.alloc(isV6 ? 52 : 28);
  header.write('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  header.set([0x21, isV6 ? 0x21 : 0x11, 0, isV6 ? 36 : 12], 12);
  if (isV6) header.set(bytesOfIpv6(address), 16);
  else header.set(address.split('.').map(Number), 16);
  header.writeUInt16BE(4711, isV6 ? 48 : 24);
  return header;
}

function bytesOfIpv6(address: string): number[] {
  const [head = '', tail = ''] = address.split('::');
  const [before, after] = [head, tail].map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0');
  const groups = [...(before ?? []), ...zeros, ...(after ?? [])].map((group) => Number.parseInt(group, 16));
  return groups.flatMap((group) => [group >> 8, group & 255]);
}

/** One login behind the balancer: `in`, `refused`, or what the server said when it hung up. */
async function logIn(gateway: RunningGateway, from: string, password = 'globex-demo', user = 'globex') {
  const socket = connect({ port: gateway.sftpPort, host: '127.0.0.1', localAddress: '127.0.0.2' });
  await once(socket, 'connect');
  socket.write(headerOf(from));
  let plain = '';
  socket.on('data', (chunk: Buffer) => (plain += chunk.toString('latin1')));
  const client = new Client();
  const ended = new Promise<string>((resolve) => {
    client.on('error', (error) => resolve(error.message));
    client.on('close', () => resolve(plain));
  });
  const ready = once(client, 'ready').then(() => 'in');
  ready.catch(() => {});
  // What a client that goes by the book says of a goodbye is not told to its user in any other way.
  let goodbye = '';
  const debug = (line: string) => {
    if (line.includes('Received DISCONNECT')) goodbye = line;
  };
  client.connect({ sock: socket, username: user, password, debug });
  const outcome = await Promise.race([ready, ended]);
  client.end();
  if (/authentication methods failed/u.test(outcome)) return 'refused';
  if (goodbye !== '') return goodbye;
  return plain.startsWith('SSH-') ? outcome : plain;
}

const ask = (method: 'GET' | 'DELETE', address = '') =>
  createHttpClient(second.httpUrl).request(method, `${path}${address && `/${encodeURIComponent(address)}`}`, {
    bearer: rig.tokenOf('Administrators'),
  });

describe('who fails to log in too often', () => {
  it('is banned for that user from that address, on every gateway, and told why', async () => {
    expect(await logIn(first, '10.1.1.1', 'wrong')).toBe('refused');
    expect(await logIn(second, '10.1.1.1', 'wrong')).toBe('refused');
    expect(await logIn(first, '10.1.1.1')).toMatch(/Too many failed logins: try again in \d+ s/u);
    expect(await logIn(second, '10.1.1.2')).toBe('in');
    expect(await logIn(second, '10.1.1.1', 'acme-demo', 'acme')).toBe('in');
  });

  it('for whatever users is banned with the whole address, before a word of SSH', async () => {
    for (const user of ['a', 'b', 'c', 'd']) expect(await logIn(first, '10.2.2.2', 'wrong', user)).toBe('refused');
    expect(await logIn(second, '10.2.2.2')).toBe('Too many failed logins: try again later\r\n');
    expect(await logIn(second, '10.2.2.3')).toBe('in');
  });

  it('over IPv6 is banned with the network that holds the address, which is lifted by any address of it', async () => {
    const hosts = ['2001:db9:5:6::1', '2001:db9:5:6::2', '2001:db9:5:6:ffff::3', '2001:db9:5:6:1:2:3:4'];
    for (const [index, host] of hosts.entries()) {
      expect(await logIn(first, host, 'wrong', `name${index}`)).toBe('refused');
    }
    expect(await logIn(second, '2001:db9:5:6:aaaa::1')).toBe('Too many failed logins: try again later\r\n');
    expect(await logIn(second, '2001:db9:5:7::1')).toBe('in');
    const ban = { door: 'sftp', address: '2001:db9:5:6::/64', userName: null };
    expect((await ask('GET')).json()).toMatchObject({ bans: expect.arrayContaining([expect.objectContaining(ban)]) });
    expect((await ask('DELETE', '2001:DB9:5:6::9')).json()).toMatchObject({ bans: [ban] });
    expect(await logIn(second, '2001:db9:5:6:aaaa::1')).toBe('in');
    for (const [index, host] of hosts.entries()) await logIn(first, host, 'wrong', `other${index}`);
    expect((await ask('DELETE', '2001:db9:5:6::/64')).json()).toMatchObject({ bans: [ban] });
  });

  it('with an IPv4 address that comes as IPv6 is banned as IPv4', async () => {
    for (const user of ['a', 'b', 'c', 'd']) {
      expect(await logIn(first, '::ffff:a09:909', 'wrong', user)).toBe('refused');
    }
    expect(await logIn(second, '10.9.9.9')).toBe('Too many failed logins: try again later\r\n');
    expect((await ask('DELETE', '::ffff:10.9.9.9')).json()).toMatchObject({ bans: [{ address: '10.9.9.9' }] });
  });

  it('in several Unicode forms of a name has failed for one user', async () => {
    expect(await logIn(first, '10.9.1.1', 'wrong', 'm\u00fcller')).toBe('refused');
    expect(await logIn(second, '10.9.1.1', 'wrong', 'mu\u0308ller')).toBe('refused');
    expect(await logIn(first, '10.9.1.1', 'wrong', 'm\u00fcller')).toMatch(/Too many failed logins: try again in/u);
    expect((await ask('DELETE', '10.9.1.1')).json()).toMatchObject({ bans: [{ userName: 'm\u00fcller' }] });
  });

  it.each([
    ['a name without end of combining marks', `a${'\u0345'.repeat(6_000)}${'\u0334'.repeat(6_000)}`],
    ['a name with control characters', 'glo\u0007bex\r\n'],
  ])('with %s is refused as any other', async (_what, user) => {
    expect(await logIn(first, '10.9.2.2', 'wrong', user)).toBe('refused');
  });

  it('cannot say where it comes from, when it is not a balancer', async () => {
    const socket = connect({ port: first.sftpPort, host: '127.0.0.1', localAddress: '127.0.0.3' });
    let greeting = '';
    socket.on('data', (chunk: Buffer) => (greeting += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.write(headerOf('10.9.9.10'));
    await once(socket, 'close');
    // What is no SSH ends the connection.
    expect(greeting).not.toContain('SSH_MSG');
    expect((await rig.audited()).filter(({ auditMessage }) => auditMessage.includes('10.9.9.10'))).toEqual([]);
  });

  it.each([
    ['without a header', Buffer.from('SSH-2.0-Balancer\r\n')],
    ['with version 1 of the header', Buffer.from('PROXY TCP4 10.9.9.11 127.0.0.1 1 2\r\n')],
    ['with two headers', Buffer.concat([headerOf('10.9.9.11'), headerOf('10.9.9.12')])],
  ])('is cut off when its balancer speaks %s', async (_what, bytes) => {
    const socket = connect({ port: first.sftpPort, host: '127.0.0.1', localAddress: '127.0.0.2' });
    socket.on('error', () => {});
    socket.resume();
    socket.write(bytes);
    await once(socket, 'close');
  });

  it('is shown with the end of the ban, and let in again by an administrator at once', async () => {
    const bans = (await ask('GET')).json();
    expect(bans).toEqual({
      bans: expect.arrayContaining([
        { door: 'sftp', address: '10.1.1.1', userName: 'globex', until: expect.stringMatching(/^20.*Z$/u) },
        { door: 'sftp', address: '10.2.2.2', userName: null, until: expect.any(String) },
      ]),
    });
    expect((await ask('DELETE', '10.2.2.2')).json()).toMatchObject({ bans: [{ address: '10.2.2.2', userName: null }] });
    expect(await logIn(first, '10.2.2.2')).toBe('in');
    expect((await ask('DELETE', '10.1.1.1')).status).toBe(200);
    expect(await logIn(first, '10.1.1.1')).toBe('in');
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

  it('is shown and let in again by the same requests where it was over HTTP', async () => {
    const redis = connectRedis({
      url: rig.redis.url,
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

  it('is on the record: the ban, who was turned away, and who lifted it', async () => {
    const messages = await waitFor(
      async () => {
        const all = (await rig.audited()).map(({ auditMessage }) => auditMessage);
        return all.some((message) => message.startsWith('Logins of everybody')) ? all : undefined;
      },
      { what: 'the ban to be on the record' },
    );
    expect(messages).toContain('Logins of user globex from 10.1.1.1 are refused for 900 s');
    expect(messages).toContain('Logins of everybody from 10.2.2.2 are refused for 900 s');
    expect(messages).toContain('User admin has lifted the ban of everybody from 10.2.2.2');
    expect(messages.some((message) => message.startsWith('User globex was turned away: Too many failed'))).toBe(true);
  });

  it.each(['10.7.1.1', '2001:db8::1'])('is not, from an exempt network such as that of %s', async (address) => {
    for (let count = 0; count < 5; count += 1) expect(await logIn(first, address, 'wrong')).toBe('refused');
    expect(await logIn(first, address)).toBe('in');
  });

  it('while the database is away is told so, and not counted', async () => {
    await rig.database.query('alter table directory.partner_users rename to partner_users_away');
    for (let count = 0; count < 4; count += 1) expect(await logIn(first, '10.3.3.3')).toContain('try again later');
    await rig.database.query('alter table directory.partner_users_away rename to partner_users');
    expect(await logIn(second, '10.3.3.3')).toBe('in');
  });

  it('is let in while Redis is away', async () => {
    for (let count = 0; count < 2; count += 1) await logIn(first, '10.4.4.4', 'wrong');
    await rig.redis.kill();
    expect(await logIn(first, '10.4.4.4')).toBe('in');
    await rig.redis.restart();
  });
});

describe('a wrong request', () => {
  const cases = commonRefusals({
    routes: [listLoginBansEndpoint, liftLoginBanEndpoint].map((endpoint) => ({ endpoint, path: endpoint.path })),
    baseUrl: () => first.httpUrl,
    permitted: async () => ({ authorization: `Bearer ${rig.tokenOf('Administrators')}` }),
    withRole: async (role) => ({ authorization: `Bearer ${rig.tokenOf(role)}` }),
  });
  it.each(cases)('$title', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});
