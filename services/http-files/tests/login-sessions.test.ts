import { createHash } from 'node:crypto';
import { hashPassword } from '@waybill/access/hash-password';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { twoPeers } from './test-peers.ts';

const hashedAgain = await hashPassword('globex-demo');

const site = twoPeers({ env: { LOGIN_FAILURES_PER_USER: '3', LOGIN_FAILURES_PER_ADDRESS: '1000' } });
let redis: Redis;

beforeAll(async () => {
  redis = new Redis(site.rig.redis.url);
  redis.on('error', () => {});
});

afterAll(async () => {
  redis.disconnect();
});

const logIn = (url: string, username: string, password: string, headers: Record<string, string> = {}) =>
  createHttpClient(url).post('/2.0/login/basic', { form: { username, password }, headers });

const statusWith = async (url: string, cookie: string) =>
  (await createHttpClient(url).get('/2.0/directories/', { headers: { cookie } })).status;

describe('D1 POST /login/basic', () => {
  test('responds with 200 without a body and sets the two cookies', async () => {
    const answer = await logIn(site.peer.url, 'acme', 'acme-demo');
    expect([answer.status, answer.text]).toEqual([200, '']);
    const cookies = answer.headers.getSetCookie();
    expect(cookies[0]).toBe('sp-http-usr=acme; Path=/; HttpOnly; SameSite=Lax');
    expect(cookies[1]).toMatch(/^sp-http-ses=[\w-]{22,}; Path=\/; HttpOnly; SameSite=Lax$/u);
  });

  test('marks the cookies as Secure if the client uses HTTPS', async () => {
    const answer = await logIn(site.peer.url, 'acme', 'acme-demo', { 'x-forwarded-proto': 'https' });
    for (const cookie of answer.headers.getSetCookie()) expect(cookie).toMatch(/; Secure(?:;|$)/u);
  });

  test('succeeds for a user without a Connection Contract', async () => {
    expect((await logIn(site.peer.url, 'initech', 'initech-demo')).status).toBe(200);
  });

  test('an unknown user takes as long as a wrong password', async () => {
    const timeOf = async (username: string, address: string) => {
      const startedAt = performance.now();
      await logIn(site.peer.url, username, 'wrong', { 'x-forwarded-for': address });
      return performance.now() - startedAt;
    };
    // Measured alternately, so that load on the machine affects both; the minimum is the cost of the work.
    let [known, unknown] = [Infinity, Infinity];
    for (let round = 0; round < 8; round += 1) {
      known = Math.min(known, await timeOf('acme', `203.0.113.${10 + round}`));
      unknown = Math.min(unknown, await timeOf(`nobody${round}`, `203.0.113.${30 + round}`));
    }
    expect(unknown / known).toBeGreaterThan(0.5);
    expect(unknown / known).toBeLessThan(2);
  });
});

describe('a page of another site', () => {
  const ofForeignPages: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'https://other.example.org' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'not an address' },
  ];

  test.each(ofForeignPages)('logs nobody in: %o', async (headers) => {
    const answer = await logIn(site.peer.url, 'acme', 'acme-demo', headers);
    expect([answer.status, answer.headers.getSetCookie(), answer.json()]).toEqual([
      403,
      [],
      {
        result: 'failed',
        timestamp: expect.any(String),
        message: 'A page of another site has sent this request',
        errorType: 'authorization',
      },
    ]);
  });

  test.each(ofForeignPages)('changes nothing with the session of a user: %o', async (headers) => {
    const client = await site.peer.logIn('acme');
    const answer = await client.put('/2.0/files/inbox/forged.txt', { body: 'forged', headers });
    expect(answer.status).toBe(403);
    expect((await client.get('/2.0/files/inbox/forged.txt')).status).toBe(404);
  });

  test('downloads nothing with a link, and other links do', async () => {
    const client = await site.peer.logIn('acme');
    await client.put('/2.0/files/inbox/linked.txt', { body: 'linked' });
    const follow = async (path: string, from: string) =>
      (await client.get(path, { headers: { 'sec-fetch-site': from } })).status;
    expect(await follow('/2.0/files/inbox/linked.txt', 'cross-site')).toBe(403);
    expect(await follow('/2.0/archive/inbox', 'cross-site')).toBe(403);
    for (const from of ['same-origin', 'same-site', 'none'])
      expect(await follow('/2.0/files/inbox/linked.txt', from)).toBe(200);
    expect(await follow('/2.0/directories/', 'cross-site')).toBe(200);
  });

  test('is not the own one, also behind a proxy, and not a program', async () => {
    const { host } = new URL(site.peer.url);
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'https://renamed.example.org' },
      { 'sec-fetch-site': 'none' },
      { origin: `http://${host}` },
      { origin: 'https://files.example.org', 'x-forwarded-host': 'files.example.org', 'x-forwarded-proto': 'https' },
      {},
    ])
      expect((await logIn(site.peer.url, 'acme', 'acme-demo', headers)).status).toBe(200);
  });
});

describe('a login session', () => {
  test('is valid on every peer, and ends on every peer with the logout', async () => {
    const client = await site.peer.logIn('acme');
    const cookie = client.cookies.header() ?? '';
    expect(await statusWith(site.other.url, cookie)).toBe(200);
    const answer = await client.post('/2.0/logout');
    expect(answer.json()).toMatchObject({ result: 'ok' });
    expect(client.cookies.header()).toBeUndefined();
    expect([await statusWith(site.peer.url, cookie), await statusWith(site.other.url, cookie)]).toEqual([401, 401]);
  });

  test('needs both cookies, and the two must belong together', async () => {
    const client = await site.peer.logIn('acme');
    const token = client.cookies.get('sp-http-ses') ?? '';
    expect(await statusWith(site.peer.url, `sp-http-ses=${token}`)).toBe(401);
    expect(await statusWith(site.peer.url, 'sp-http-usr=acme')).toBe(401);
    expect(await statusWith(site.peer.url, `sp-http-usr=globex; sp-http-ses=${token}`)).toBe(401);
    expect(await statusWith(site.peer.url, `sp-http-usr=acme; sp-http-ses=${token}x`)).toBe(401);
    expect(await statusWith(site.peer.url, `a=b; sp-http-usr=acme; sp-http-ses=${token}`)).toBe(200);
  });

  test('is stored under a hash of its token, for 30 minutes after the last request', async () => {
    const client = await site.peer.logIn('acme');
    const token = client.cookies.get('sp-http-ses') ?? '';
    const keys = await redis.keys('waybill:http-session:*');
    expect(keys.some((key) => key.includes(token))).toBe(false);
    const key = `waybill:http-session:${createHash('sha256').update(token).digest('hex')}`;
    expect(keys).toContain(key);
    expect(await redis.get(key)).not.toContain(token);
    await redis.expire(key, 100);
    await client.get('/2.0/directories/');
    expect(await redis.ttl(key)).toBeGreaterThan(1_790);
    await redis.del(key);
    expect((await client.get('/2.0/directories/')).status).toBe(401);
  });

  test.each([
    [
      'is frozen',
      "insert into directory.frozen_users values ('globex', now(), 'admin')",
      'delete from directory.frozen_users',
    ],
    [
      'is disabled',
      "update directory.partner_users set enabled = false where name = 'globex'",
      "update directory.partner_users set enabled = true where name = 'globex'",
    ],
    [
      'has another password',
      "update directory.partner_users set password_hash = password_hash || 'x' where name = 'globex'",
      // The old password again, but with another hash: every hash has a random salt.
      `update directory.partner_users set password_hash = '${hashedAgain}' where name = 'globex'`,
    ],
  ])('ends at once, on every peer and permanently, when its user %s', async (_what, change, undo) => {
    const cookie = (await site.peer.logIn('globex')).cookies.header() ?? '';
    expect(await statusWith(site.other.url, cookie)).toBe(200);
    await site.rig.database.query(change);
    try {
      expect([await statusWith(site.peer.url, cookie), await statusWith(site.other.url, cookie)]).toEqual([401, 401]);
      expect((await logIn(site.peer.url, 'globex', 'globex-demo')).status).toBe(401);
    } finally {
      await site.rig.database.query(undo);
    }
    expect((await logIn(site.other.url, 'globex', 'globex-demo')).status).toBe(200);
    expect([await statusWith(site.peer.url, cookie), await statusWith(site.other.url, cookie)]).toEqual([401, 401]);
  });

  test('is audited: login, failed login and logout', async () => {
    await logIn(site.peer.url, 'hooli', 'wrong');
    const client = await site.peer.logIn('hooli');
    await client.post('/2.0/logout');
    const records = (await site.rig.audited()).filter(({ dataoneUser }) => dataoneUser === 'hooli');
    expect(records.map(({ auditOperation, auditMessage }) => [auditOperation, auditMessage])).toEqual([
      ['SERVER_LOGIN', 'User hooli failed to log in'],
      ['SERVER_LOGIN', 'User hooli has logged in'],
      ['SERVER_LOGOUT', 'User hooli has logged out'],
    ]);
    expect(records[0]).toMatchObject({ entityType: 'HTTP Server', entityName: 'http-server', nodeId: 'peer1' });
  });

  test('leaves no password or token in the log', async () => {
    const client = await site.peer.logIn('acme');
    await logIn(site.peer.url, 'acme', 'wr0ng-secret', { 'x-forwarded-for': '203.0.113.99' });
    await client.get('/2.0/directories/');
    const log = [...site.peer.logLines, ...site.other.logLines].join('');
    expect(log).toContain('"userName":"acme"');
    expect(log).not.toContain('acme-demo');
    expect(log).not.toContain('wr0ng-secret');
    expect(log).not.toContain(client.cookies.get('sp-http-ses'));
  });
});

describe('without Redis', () => {
  test('every request gets a 503 in the form of the interface, and the peer is not ready', async () => {
    const client = await site.peer.logIn('acme');
    redis.disconnect();
    await site.rig.redis.kill();
    const answer = await client.get('/2.0/directories/');
    expect([answer.status, answer.json()]).toEqual([503, expect.objectContaining({ errorType: 'internal' })]);
    expect((await client.get('/health/ready')).status).toBe(503);
    await site.rig.redis.restart();
    await expect.poll(async () => (await client.get('/health/ready')).status).toBe(200);
  });
});
