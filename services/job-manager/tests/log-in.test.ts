import { describe, expect, it } from 'vitest';
import { startTestJobManager } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

interface Tokens {
  accessToken: string;
  refreshToken: string;
}

const auth = (verb: string, json: object, options: { bearer?: string; headers?: Record<string, string> } = {}) =>
  site.manager.client.post(`/platform-application/api/v1/auth/${verb}`, { json, ...options });
const logIn = async (username: string, password: string, address = '192.0.2.1') =>
  await auth('login', { username, password }, { headers: { 'x-forwarded-for': address } });
const tokensOf = async (username: string): Promise<Tokens> =>
  (await logIn(username, `${username}-demo`)).json() as Tokens;
const audited = async (code: string) =>
  (
    await site.platform.database.query(
      `SELECT payload FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'auditCode' = $1 ORDER BY id`,
      [code],
    )
  ).map(({ payload }) => payload as Record<string, unknown>);
const list = (bearer: string) => site.manager.client.get('/job-manager/jobs', { bearer });

describe('a login', () => {
  it('gives tokens that work, are not to be cached, and is audited', async () => {
    const response = await logIn('viewer', 'viewer-demo');
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.json()).toEqual({
      accessToken: expect.any(String),
      refreshToken: expect.any(String),
      tokenType: 'Bearer',
      expiresIn: 900,
    });
    expect((await list((response.json() as Tokens).accessToken)).status).toBe(200);
    expect((await audited('AUD0007A')).at(-1)).toMatchObject({
      auditOperation: 'LOGIN',
      dataoneUser: 'viewer',
      entityType: 'Manager',
      entityName: 'manager1',
      entityId: 'node1',
      clusterId: 'MANAGER',
      nodeId: 'node1',
      module: 'manager1 AUDIT',
    });
  });

  it.each([
    ['a wrong password', 'viewer', 'wrong'],
    ['an unknown user', 'nobody', 'viewer-demo'],
    ['a disabled user', 'retired', 'retired-demo'],
    ['a partner user', 'acme', 'acme-demo'],
    ['a name with NUL bytes in the middle of nowhere', 'adm\u0001in', 'x'],
  ])('is refused in the same words for %s, and audited', async (_name, username, password) => {
    const before = (await audited('AUD0008A')).length;
    const response = await logIn(username, password, '192.0.2.2');
    expect(response.status).toBe(401);
    expect(response.json()).toMatchObject({ code: 'invalid_credentials', detail: 'Invalid username or password' });
    expect(await audited('AUD0008A')).toHaveLength(before + 1);
  });

  it.each([{}, { username: 'admin' }, { username: '', password: 'x' }, { username: 'a\0', password: 'x' }])(
    'is refused with 400 for the body %j',
    async (body) => {
      const response = await auth('login', body);
      expect(response.status).toBe(400);
      expect(response.json()).toMatchObject({ code: 'validation_failed' });
    },
  );

  it('is refused temporarily after five failures of one user from one address, for no one else', async () => {
    for (let index = 0; index < 5; index += 1) {
      expect((await logIn('viewer', `guess ${index}`, '192.0.2.3')).status).toBe(401);
    }
    const refused = await logIn('viewer', 'viewer-demo', '192.0.2.3');
    expect(refused.status).toBe(429);
    const seconds = refused.headers.get('retry-after');
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(refused.json()).toMatchObject({ detail: `Too many failed logins: try again in ${seconds} seconds` });
    expect((await logIn('viewer', 'viewer-demo', '192.0.2.4')).status).toBe(200);
    expect((await logIn('admin', 'admin-demo', '192.0.2.3')).status).toBe(200);
  });

  it('fails for one user in all Unicode forms of the name, and for one client in all addresses of an IPv6 network', async () => {
    const names = ['m\u00fcller', 'mu\u0308ller', 'm\u00fcller', 'mu\u0308ller', 'm\u00fcller', 'mu\u0308ller'];
    const statuses = [];
    for (const [index, name] of names.entries())
      statuses.push((await logIn(name, 'guess', `2001:db8:9::${index}`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await logIn('m\u00fcller', 'guess', '2001:db8:9:1::1')).status).toBe(401);
    expect((await audited('AUD0008A')).at(-1)).toMatchObject({ dataoneUser: 'm\u00fcller' });
  });

  it('that begins to be refused is audited once for all nodes, and counted in the metrics', async () => {
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    const attempt = { json: { username: 'viewer', password: 'guess' }, headers: { 'x-forwarded-for': '192.0.2.8' } };
    const guesses = Array.from({ length: 10 }, (_, index) =>
      (index % 2 ? site.manager : other).client.post('/platform-application/api/v1/auth/login', attempt),
    );
    await Promise.all(guesses);
    const bans = (await audited('AUD0012A')).filter(({ auditMessage }) => String(auditMessage).includes('192.0.2.8'));
    expect(bans).toHaveLength(1);
    expect(bans).toContainEqual(
      expect.objectContaining({
        auditOperation: 'LOGIN',
        clusterId: 'MANAGER',
        dataoneUser: 'viewer',
        entityType: 'Manager',
        entityName: 'manager1',
        auditMessage: expect.stringMatching(/^Logins of user viewer from 192\.0\.2\.8 are refused for (2\d\d|300) s$/u),
      }),
    );
    expect((await site.manager.client.get('/metrics')).text).toMatch(
      /waybill_login_bans_total\{subject="user",.*\} [1-9]/u,
    );
  });

  it('is not treated as a guess if the right password is sent many times at once', async () => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => logIn('admin', 'admin-demo', '192.0.2.6')));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it('cannot be guessed faster by guessing at once', async () => {
    const responses = await Promise.all(
      Array.from({ length: 30 }, (_, index) => logIn('admin', `guess ${index}`, '192.0.2.5')),
    );
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(25);
  });
});

describe('a refresh', () => {
  it('gives new tokens, and each refresh token is good once: a second use ends the login', async () => {
    const first = await tokensOf('viewer');
    const response = await auth('refresh', { refreshToken: first.refreshToken });
    expect(response.status).toBe(200);
    const second = response.json() as Tokens;
    expect((await list(second.accessToken)).status).toBe(200);
    expect((await auth('refresh', { refreshToken: first.refreshToken })).json()).toMatchObject({
      status: 401,
      code: 'refresh_token_invalid',
    });
    expect((await auth('refresh', { refreshToken: second.refreshToken })).status).toBe(401);
  });
});

describe('a logout', () => {
  it('ends the login and is audited; doing it twice is refused', async () => {
    const { refreshToken } = await tokensOf('viewer');
    expect((await auth('logout', { refreshToken })).status).toBe(204);
    expect((await audited('AUD0009A')).at(-1)).toMatchObject({ dataoneUser: 'viewer', auditOperation: 'LOGOUT' });
    expect((await auth('refresh', { refreshToken })).status).toBe(401);
    expect((await auth('logout', { refreshToken })).status).toBe(401);
  });
});

describe('a change of password', () => {
  const newPassword = 'correct horse battery';

  it('needs a login and the current password; a refusal is audited', async () => {
    const body = { currentPassword: 'viewer-demo', newPassword };
    expect((await auth('password', body)).status).toBe(401);
    const { accessToken: bearer } = await tokensOf('viewer');
    const refused = await auth('password', { ...body, currentPassword: 'wrong' }, { bearer });
    expect(refused.json()).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect((await audited('AUD0011A')).at(-1)).toMatchObject({ entityType: 'Internal User', entityName: 'viewer' });
    expect((await auth('password', { ...body, newPassword: 'short' }, { bearer })).status).toBe(400);
  });

  it('puts the new password in force, ends every login and is audited', async () => {
    const { accessToken: bearer, refreshToken } = await tokensOf('viewer');
    const response = await auth('password', { currentPassword: 'viewer-demo', newPassword }, { bearer });
    expect(response.status).toBe(204);
    expect((await audited('AUD0010A')).at(-1)).toMatchObject({
      auditOperation: 'PASSWORD CHANGE',
      entityType: 'Internal User',
      entityName: 'viewer',
      entityId: expect.stringMatching(/^\d+$/u),
    });
    expect((await auth('refresh', { refreshToken })).status).toBe(401);
    expect((await logIn('viewer', 'viewer-demo', '192.0.2.6')).status).toBe(401);
    expect((await logIn('viewer', newPassword, '192.0.2.7')).status).toBe(200);
  });
});

describe('the signing keys', () => {
  it('are published without their private half', async () => {
    const response = await site.manager.client.get('/.well-known/jwks.json');
    expect(response.status).toBe(200);
    const { keys } = response.json() as { keys: Record<string, string>[] };
    expect(keys).toEqual([expect.objectContaining({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })]);
    expect(keys[0]).not.toHaveProperty('d');
  });
});

describe('health and metrics', () => {
  it('report that the service is ready and what it has done', async () => {
    expect((await site.manager.client.get('/health/live')).status).toBe(200);
    const ready = await site.manager.client.get('/health/ready');
    expect(ready.json()).toMatchObject({ ready: true, checks: { postgres: 'ok', redis: 'ok' } });
    expect((await site.manager.client.get('/metrics')).text).toContain('waybill_logins_total');
  });
});
