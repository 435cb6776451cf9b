import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { openBrowser, type OutsideIssuer, startOutsideIssuer } from '@waybill/test-kit/oidc/outside-issuer';
import { waitFor } from '@waybill/test-kit/wait-for';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forgeries, signed } from './forged-id-tokens.ts';
import { callBack, callback, comeBack as comeBackTo, type BrowserThatCameBack, oidcSettings } from './oidc-rig.ts';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { startWaybill } from './waybill-command.ts';

const api = '/platform-application/api/v1';
const jane = { subject: 'f3a1', claims: { preferred_username: 'jane@example.org', groups: ['staff', 'operators'] } };
const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string(), expiresIn: z.number() });
const resources = new AsyncDisposableStack();
let issuer: OutsideIssuer;
let platform: TestPlatform;
let manager: TestJobManager;
let other: TestJobManager;
let addresses = 0;

beforeAll(async () => {
  issuer = resources.use(await startOutsideIssuer(() => callback));
  platform = resources.use(await startTestPlatform());
  const env = oidcSettings(issuer);
  manager = resources.use(await startTestJobManager(platform, env));
  other = resources.use(await startTestJobManager(platform, { ...env, NODE_NAME: 'node2' }));
});
afterAll(() => resources.disposeAsync());
beforeEach(() => {
  issuer.account = jane;
});
afterEach(() => {
  issuer.forge = undefined;
});

const comeBack = (at: TestJobManager = manager) => comeBackTo(at);
const finish = (browser: BrowserThatCameBack, { at = manager, address = `198.51.100.${(addresses += 1)}` } = {}) =>
  callBack(at, browser, address);
const logIn = async (at?: TestJobManager) => await finish(await comeBack(at));
const auditedSql = `SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = $1 ORDER BY id`;
const audited = async (code: string) =>
  (await platform.database.query(auditedSql, [code])).map(({ payload }) => payload as Record<string, unknown>);
const statusOf = async (bearer: string, path = '/job-manager/jobs') =>
  (await other.client.get(path, { bearer })).status;

describe('a login in a browser', () => {
  it('gives a session with the roles of the groups, begun at one manager and ended at another', async () => {
    const back = await comeBack(manager);
    const response = await finish(back, { at: other });
    expect(response.status, response.text).toBe(200);
    const { accessToken, refreshToken } = tokensSchema.parse(response.json());
    expect(decodeJwt(accessToken)).toMatchObject({ sub: 'jane@example.org', roles: ['Operators'], iss: 'waybill' });
    expect(await statusOf(accessToken)).toBe(200);
    expect(await statusOf(accessToken, `${api}/manager-users`)).toBe(403);
    expect((await audited('AUD0007A')).at(-1)).toMatchObject({
      dataoneUser: 'jane@example.org',
      context: { authentication: 'OpenID Connect', issuer: issuer.url, subject: 'f3a1', roles: 'Operators' },
    });
    const renewed = await manager.client.post(`${api}/auth/refresh`, { json: { refreshToken } });
    const next = tokensSchema.parse(renewed.json());
    expect(await statusOf(next.accessToken)).toBe(200);
    const sessions = await manager.client.get(`${api}/auth/sessions`, { bearer: next.accessToken });
    const { items } = z
      .object({ items: z.array(z.object({ user: z.string(), expiresAt: z.string() })) })
      .parse(sessions.json());
    expect(items.map(({ user }) => user)).toEqual(['jane@example.org']);
    expect(Date.parse(items[0]?.expiresAt ?? '') - Date.now()).toBeLessThan(28_801_000);
    await manager.client.post(`${api}/auth/logout`, { json: { refreshToken: next.refreshToken } });
    await expect.poll(() => statusOf(next.accessToken)).toBe(401);
  });

  it('belongs to the browser and the login that have begun it', async () => {
    const [mine, others] = [await comeBack(), await comeBack()];
    const altered = mine.cookie.replace(/.{4}$/u, 'AAAA');
    for (const cookie of ['', 'waybill-oidc=', 'waybill-oidc=x.y', others.cookie, altered]) {
      expect((await finish({ query: mine.query, cookie })).json()).toMatchObject({
        status: 401,
        code: 'oidc_login_refused',
      });
    }
    const swapped = new URLSearchParams(mine.query);
    swapped.set('state', others.query.get('state') ?? '');
    // The code belongs to the verifier of the other login.
    expect((await finish({ query: swapped, cookie: others.cookie })).status).toBe(401);
    expect((await finish(others)).status).toBe(200);
    expect((await finish(others)).status).toBe(401);
  });

  it('reports that the issuer refuses, and takes no answer of another issuer', async () => {
    const { query, cookie } = await comeBack();
    const denied = new URLSearchParams({ state: query.get('state') ?? '', error: 'access_denied', iss: issuer.url });
    expect((await finish({ query: denied, cookie })).json()).toMatchObject({
      status: 401,
      detail: 'The issuer has refused: access_denied',
    });
    query.set('iss', 'https://evil.example.org');
    expect((await finish({ query, cookie })).status).toBe(401);
    expect((await finish({ query: new URLSearchParams(), cookie })).status).toBe(400);
  });

  it.each([
    ['no group that has a role', { preferred_username: 'joe', groups: ['staff'] }, 'none of the groups'],
    ['no groups', { preferred_username: 'joe' }, 'none of the groups'],
    ['groups of another shape', { preferred_username: 'joe', groups: { operators: true } }, 'none of the groups'],
    ['no name', { groups: ['operators'] }, 'no user name'],
    ['a name with a blank', { preferred_username: 'joe public', groups: ['operators'] }, 'no user name'],
    ['a name with an unseen character', { preferred_username: 'adm\u200Bin', groups: ['operators'] }, 'U+200B'],
    ['a name that is shown in another order', { preferred_username: '\u202Enimda', groups: ['operators'] }, 'U+202E'],
    ['the name of a user of the configuration', { preferred_username: 'admin', groups: ['operators'] }, 'already'],
    ['the name of a disabled user', { preferred_username: 'retired', groups: ['operators'] }, 'already'],
  ])('is refused to a user with %s, and audited', async (_, claims, reason) => {
    issuer.account = { subject: 'joe-1', claims };
    expect((await logIn()).json()).toMatchObject({ status: 401, code: 'oidc_login_refused' });
    expect((await audited('AUD0008A')).at(-1)).toMatchObject({
      context: { authentication: 'OpenID Connect', subject: 'joe-1', reason: expect.stringContaining(reason) },
    });
  });

  it('makes no lasting user: no API key, and no session beside a user of the configuration of that name', async () => {
    const { accessToken: bearer, refreshToken } = tokensSchema.parse((await logIn()).json());
    const key = await manager.client.post(`${api}/api-keys`, { bearer, json: { name: 'ci' } });
    expect([key.status, key.text]).toEqual([403, expect.stringContaining('users of the configuration')]);
    const namesake = { name: 'jane@example.org', password: 'jane of the configuration', roles: ['Users'] };
    await platform.apply({ ...testConfiguration, managerUsers: [...testConfiguration.managerUsers, namesake] });
    await expect.poll(() => statusOf(bearer)).toBe(401);
    expect((await manager.client.post(`${api}/auth/refresh`, { json: { refreshToken } })).status).toBe(401);
    await platform.apply(testConfiguration);
  });
});

describe('an ID token', () => {
  it.each(forgeries)('%s is refused', async (_, forged) => {
    issuer.forge = (token) => forged(decodeJwt(token), issuer.key());
    const response = await logIn();
    expect(response.json()).toMatchObject({ status: 401, code: 'oidc_login_refused' });
    expect(response.text).not.toContain('eyJ');
  });

  it('that is made in the same way, and right, is accepted', async () => {
    issuer.forge = (token) => signed(decodeJwt(token), issuer.key());
    expect((await logIn()).status).toBe(200);
  });

  it('may be signed by a new key of the issuer at once; the keys are not fetched for each login', async () => {
    expect((await logIn()).status).toBe(200);
    const before = issuer.keyRequests();
    expect([(await logIn()).status, (await logIn()).status]).toEqual([200, 200]);
    expect(issuer.keyRequests()).toBe(before);
    const former = issuer.key();
    issuer.rotate();
    expect((await logIn()).status).toBe(200);
    expect(issuer.keyRequests()).toBe(before + 1);
    issuer.forge = (token) => signed(decodeJwt(token), former);
    expect((await logIn()).status).toBe(401);
  });

  it('that is refused counts as a failed login of the address', async () => {
    const address = '192.0.2.99';
    const { query, cookie } = await comeBack();
    for (let index = 0; index < 5; index += 1) {
      expect((await finish({ query, cookie: 'waybill-oidc=forged' }, { address })).status).toBe(401);
    }
    expect((await finish({ query, cookie }, { address })).status).toBe(429);
    expect((await manager.client.get('/metrics')).text).toMatch(
      /waybill_logins_total\{method="oidc",outcome="failure",.*\} [1-9]/u,
    );
  });
});

describe('a login on another device', () => {
  const text = z.string();
  const begin = async () =>
    z
      .object({ deviceCode: text, userCode: text, verificationUriComplete: text, interval: z.number() })
      .parse((await manager.client.post(`${api}/auth/oidc/device`)).json());
  const ask = (deviceCode: string, at = manager) =>
    at.client.post(`${api}/auth/oidc/device/token`, { json: { deviceCode } });

  it('gives a session when the user has logged in there, once', async () => {
    const { deviceCode, userCode, verificationUriComplete } = await begin();
    expect((await ask(deviceCode)).json()).toEqual({ slowDown: false });
    expect(await openBrowser().decide(verificationUriComplete)).toBe('done');
    expect(verificationUriComplete).toContain(userCode);
    const { accessToken } = tokensSchema.parse((await ask(deviceCode, other)).json());
    expect(decodeJwt(accessToken)).toMatchObject({ sub: 'jane@example.org', roles: ['Operators'] });
    expect((await ask(deviceCode)).status).toBe(401);
  });

  it('is what `waybill login --oidc` does, which keeps the session as a context', async () => {
    await using folder = await createTestFolder();
    const login = startWaybill(folder.path, ['login', '--url', manager.url, '--oidc']);
    const address = await waitFor(() => Promise.resolve(/^Log in at (\S+)$/mu.exec(login.printed())?.[1]), {
      what: 'the invitation',
    });
    expect(await openBrowser().decide(address)).toBe('done');
    expect(await login.ended).toMatchObject({ code: 0, out: expect.stringContaining('Logged in as jane@example.org') });
    expect((await startWaybill(folder.path, ['session', 'list']).ended).out).toContain('jane@example.org');
  });

  it('can be begun from an address as often as a login may fail there, until one succeeds', async () => {
    const headers = { 'x-forwarded-for': '192.0.2.98' };
    const beginThere = () => manager.client.post(`${api}/auth/oidc/device`, { headers });
    const logInThere = async () => {
      const login = (await beginThere()).json() as { deviceCode: string; verificationUriComplete: string };
      await openBrowser().decide(login.verificationUriComplete);
      const json = { deviceCode: login.deviceCode };
      return (await manager.client.post(`${api}/auth/oidc/device/token`, { json, headers })).status;
    };
    for (let index = 0; index < 7; index += 1) expect(await logInThere()).toBe(200);
    for (let index = 0; index < 5; index += 1) expect((await beginThere()).status).toBe(200);
    const refused = await beginThere();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/u)]);
    expect((await manager.client.post(`${api}/auth/oidc/device`)).status).toBe(200);
  });

  it('is refused with an unknown code', async () => {
    expect((await ask('guessed')).json()).toMatchObject({ status: 401, code: 'oidc_login_refused' });
    expect((await ask('')).status).toBe(400);
  });
});
