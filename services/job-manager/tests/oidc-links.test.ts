import { type OutsideIssuer, startOutsideIssuer } from '@waybill/test-kit/oidc/outside-issuer';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { callBack, callback, comeBack, oidcSettings } from './oidc-rig.ts';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';
import { expectRefusedPages, walkList } from './walk-list.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const api = '/platform-application/api/v1';
const tokensSchema = z.object({ accessToken: z.string(), refreshToken: z.string() });
const resources = new AsyncDisposableStack();
let issuer: OutsideIssuer;
let platform: TestPlatform;
let manager: TestJobManager;

beforeAll(async () => {
  issuer = resources.use(await startOutsideIssuer(() => callback));
  platform = resources.use(await startTestPlatform());
  manager = resources.use(await startTestJobManager(platform, oidcSettings(issuer)));
});
afterAll(() => resources.disposeAsync());
afterEach(() => platform.apply(testConfiguration));

const link = (oidc: { issuer: string; subject: string }, more: object = {}) =>
  platform.apply({
    ...testConfiguration,
    managerUsers: [...testConfiguration.managerUsers, { name: 'lena', roles: ['Operators'], oidc, ...more }],
  });

/** Logs in with this subject; the claims name nobody, and an administrator, unless others are given. */
async function logIn(
  subject: string,
  claims: object = { preferred_username: 'somebody', groups: ['administrators'] },
  address = '192.0.2.1',
) {
  issuer.account = { subject, claims: { ...claims } };
  return await callBack(manager, await comeBack(manager), address);
}

const refresh = (refreshToken: string) => manager.client.post(`${api}/auth/refresh`, { json: { refreshToken } });
const statusOf = async (bearer: string, path = '/job-manager/jobs') =>
  (await manager.client.get(path, { bearer })).status;

it('a user of the configuration logs in with the issuer, with the roles of the configuration alone', async () => {
  await link({ issuer: issuer.url, subject: 'l-1' });
  const first = await logIn('l-1');
  expect(first.status, first.text).toBe(200);
  const tokens = tokensSchema.parse(first.json());
  expect(decodeJwt(tokens.accessToken)).toMatchObject({ sub: 'lena', roles: ['Operators'] });
  expect(await statusOf(tokens.accessToken)).toBe(200);
  expect(await statusOf(tokens.accessToken, `${api}/manager-users`)).toBe(403);
  // Without groups and name, too: the configuration says who it is.
  expect((await logIn('l-1', {})).status).toBe(200);
  const next = tokensSchema.parse((await refresh(tokens.refreshToken)).json());
  const permissions = async () =>
    (await manager.client.get(`${api}/auth/permissions`, { bearer: next.accessToken })).text;
  expect(await permissions()).toContain('jobs:write');
  await link({ issuer: issuer.url, subject: 'l-1' }, { roles: ['Users'] });
  await expect.poll(permissions).not.toContain('jobs:write');
});

it('the policy of second factors is the matter of the issuer', async () => {
  await platform.apply({
    ...testConfiguration,
    accountPolicies: [{ name: 'default', secondFactor: 'required' }],
    managerUsers: [
      ...testConfiguration.managerUsers,
      { name: 'lena', roles: ['Operators'], oidc: { issuer: issuer.url, subject: 'l-1' } },
    ],
  });
  const { refreshToken } = tokensSchema.parse((await logIn('l-1')).json());
  expect((await refresh(refreshToken)).status).toBe(200);
});

it.each([
  ['a subject in other capitals', 'L-1'],
  ['a subject with a blank', 'l-1 '],
  ['the beginning of a subject', 'l-'],
  ['the name of the user', 'lena'],
])('%s is somebody else', async (_, subject) => {
  await link({ issuer: issuer.url, subject: 'l-1' });
  // A name belongs to one subject.
  const name = `somebody-${Buffer.from(subject).toString('hex')}`;
  const response = await logIn(subject, { preferred_username: name, groups: ['administrators'] });
  expect(response.status === 200 && decodeJwt(tokensSchema.parse(response.json()).accessToken).sub).toBe(name);
  expect((await logIn(subject, { preferred_username: 'lena', groups: ['administrators'] }, '192.0.2.2')).status).toBe(
    401,
  );
});

it.each([
  ['another issuer', () => 'https://login.example.org'],
  ['an issuer with another end', () => `${issuer.url}/`],
  ['an issuer of another scheme', () => issuer.url.replace('http:', 'https:')],
])('a subject of %s is somebody else', async (_, other) => {
  await link({ issuer: other(), subject: 'l-1' });
  expect((await logIn('l-1', {}, '192.0.2.3')).status).toBe(401);
});

it('a disabled user is refused, and open sessions end', async () => {
  await link({ issuer: issuer.url, subject: 'l-1' });
  const { accessToken, refreshToken } = tokensSchema.parse((await logIn('l-1')).json());
  await link({ issuer: issuer.url, subject: 'l-1' }, { enabled: false });
  const refused = await logIn('l-1', undefined, '192.0.2.4');
  expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('is disabled')]);
  await expect.poll(() => statusOf(accessToken)).toBe(401);
  expect((await refresh(refreshToken)).status).toBe(401);
});

it('the sessions of a user who becomes somebody else at the issuer end', async () => {
  await link({ issuer: issuer.url, subject: 'l-1' });
  const { accessToken, refreshToken } = tokensSchema.parse((await logIn('l-1')).json());
  await link({ issuer: issuer.url, subject: 'l-2' });
  await expect.poll(() => statusOf(accessToken)).toBe(401);
  expect((await refresh(refreshToken)).status).toBe(401);
});

it('two users cannot be one at the issuer', async () => {
  const oidc = { issuer: issuer.url, subject: 'l-1' };
  const twins = ['lena', 'lina'].map((name) => ({ name, roles: ['Operators'], oidc }));
  const configuration = { ...testConfiguration, managerUsers: [...testConfiguration.managerUsers, ...twins] };
  await expect(platform.apply(configuration)).rejects.toThrow(/already exists/u);
});

it('a name belongs to the first subject with it: another one is refused until an administrator releases the name', async () => {
  const claims = { preferred_username: 'shared', groups: ['operators'] };
  // Each from an address of its own: none of them is one failure too many.
  let addresses = 0;
  const logInAs = (subject: string) => logIn(subject, claims, `192.0.2.${(addresses += 1) + 50}`);
  const audited = async (code: string) =>
    await platform.database.query(`SELECT payload FROM outbox.events WHERE payload ->> 'auditCode' = $1 ORDER BY id`, [
      code,
    ]);
  const first = tokensSchema.parse((await logInAs('s-1')).json());
  expect((await logInAs('s-1')).status).toBe(200);
  const refused = await logInAs('s-2');
  expect(refused.json()).toMatchObject({
    status: 401,
    code: 'oidc_login_refused',
    detail: expect.stringContaining('The name shared belongs to another user of the issuer'),
  });
  expect((await audited('AUD0008A')).at(-1)).toMatchObject({ payload: { context: { subject: 's-2' } } });

  const names = `${api}/auth/oidc/names`;
  const bearer = manager.admin;
  const listed = async () => (await manager.client.get(`${names}?name=shared`, { bearer })).json();
  expect(await listed()).toMatchObject({ items: [{ name: 'shared', issuer: issuer.url, subject: 's-1' }] });
  expect((await manager.client.get(names, { bearer: first.accessToken })).status).toBe(403);
  expect((await manager.client.delete(`${names}/shared`, { bearer: first.accessToken })).status).toBe(403);
  await using access = await platformAccess(manager);
  const onCommandLine = async (...args: string[]) => await runWaybill('outside-names', ...args, ...access.options);
  expect((await onCommandLine('list', '--name', 'shared')).out).toMatch(
    /^NAME +ISSUER +SUBJECT.*\nshared +http\S+ +s-1 /u,
  );
  expect(await onCommandLine('release', 'shared')).toEqual({ code: 0, out: 'The name shared is released\n' });
  expect(await onCommandLine('list', '--name', 'shared')).toEqual({ code: 0, out: 'There are none.\n' });
  expect((await onCommandLine('release', 'shared')).code).toBe(1);
  expect((await manager.client.delete(`${names}/shared`, { bearer })).status).toBe(404);
  expect((await audited('AUD0005A')).at(-1)).toMatchObject({
    payload: {
      dataoneUser: 'admin',
      entityName: 'shared',
      context: { issuer: issuer.url, subject: 's-1' },
    },
  });
  await expect.poll(() => statusOf(first.accessToken)).toBe(401);
  expect((await logInAs('s-2')).status).toBe(200);
  expect((await logInAs('s-1')).status).toBe(401);
});

it('lists names page by page, each once, also those that log in meanwhile', async () => {
  const path = `${api}/auth/oidc/names`;
  await platform.database.query(
    `INSERT INTO access.outside_names (user_name, issuer, subject, last_login_at)
     SELECT 'paged-' || n, 'https://issuer.test', 's', now() - n * interval '1 minute' FROM generate_series(1, 1005) n`,
  );
  const logIn = async () => {
    await platform.database.query(
      "UPDATE access.outside_names SET last_login_at = now() WHERE user_name LIKE 'paged-9%'",
    );
  };
  const pages = await walkList<{ name: string }>(
    manager,
    { path, bearer: manager.admin, query: { maxItems: '400' } },
    logIn,
  );
  const names = pages.flat().map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.filter((name) => name.startsWith('paged-'))).toHaveLength(1_005);
  await expectRefusedPages(manager, { path, bearer: manager.admin });

  await using access = await platformAccess(manager);
  const { out } = await runWaybill('outside-names', 'list', '--json', ...access.options);
  const logins = out
    .trim()
    .split('\n')
    .map((line) => z.object({ lastLoginAt: z.iso.datetime() }).parse(JSON.parse(line)).lastLoginAt);
  expect(logins).toHaveLength(names.length);
  expect(logins).toEqual(logins.toSorted().toReversed());
});
