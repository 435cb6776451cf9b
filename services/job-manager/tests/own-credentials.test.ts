import { createHttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codesSchema, secondFactorSite, tokensSchema } from './second-factor-site.ts';

const { site, api, post, begin, logIn } = secondFactorSite();
const password = 'the keeper of identities';
const keeper = { username: 'keeper', password };
const chosen = 'Chosen-By-A-Thief-1';

let token: string;
let key: string;

const request = (method: string, path: string, bearer: string, json?: object) =>
  createHttpClient(site.manager.url).request(method, `${api}/${path}`, { bearer, ...(json && { json }) });
const refused = (response: HttpResponse) => [response.status, (response.json() as { detail?: string }).detail];
const loggedIn = async (user: object, code?: string) => (await logIn(code, user)).status;
const tokenOf = async (user: object, code?: string) => tokensSchema.parse((await logIn(code, user)).json()).accessToken;

beforeAll(async () => {
  const { admin } = site.manager;
  const users = { keeper: ['Administrators'], una: ['Users'], nobody: ['Users'] };
  for (const [name, roles] of Object.entries(users)) {
    const { status, text } = await request('PUT', `manager-users/${name}`, admin, { password, roles });
    if (status !== 201) throw new Error(text);
  }
  token = await tokenOf(keeper);
  key = ((await request('POST', 'api-keys', token, { name: 'stolen' })).json() as { key: string }).key;
});
afterAll(async () => {
  for (const name of ['keeper', 'una', 'nobody', 'made'])
    await request('DELETE', `manager-users/${name}`, site.manager.admin);
});

/** Each way to set the password of a manager user. */
const ways: readonly [string, (name: string, bearer: string) => Promise<HttpResponse>][] = [
  ['PATCH', (name, bearer) => request('PATCH', `manager-users/${name}`, bearer, { password: chosen })],
  [
    'PUT',
    (name, bearer) =>
      request('PUT', `manager-users/${name}`, bearer, {
        password: chosen,
        roles: [name === 'keeper' ? 'Administrators' : 'Users'],
      }),
  ],
  [
    'PATCH as a dry run',
    (name, bearer) => request('PATCH', `manager-users/${name}?dryRun=true`, bearer, { password: chosen }),
  ],
  [
    'several changes',
    (name, bearer) =>
      request('POST', 'configuration/changes', bearer, {
        changes: [{ object: { collection: 'manager-users', name }, patch: { password: chosen } }],
      }),
  ],
  [
    'a code for a first password',
    (name, bearer) => request('POST', `manager-users/${name}/first-password-code`, bearer),
  ],
];

describe('a stolen access token', () => {
  it.each(ways)('does not become a login by %s of the own password', async (_, setPassword) => {
    expect(refused(await setPassword('keeper', token))).toEqual([
      403,
      expect.stringContaining('Change your own password with auth/password, which needs the present one'),
    ]);
    expect([await loggedIn(keeper), await loggedIn({ ...keeper, password: chosen })]).toEqual([200, 401]);
  });

  it('does not become a login by deleting and creating the own user in one request', async () => {
    const object = { collection: 'manager-users', name: 'keeper' };
    const changes = [
      { object, delete: true },
      { object, create: { password: chosen, roles: ['Administrators'] } },
    ];
    expect(refused(await request('POST', 'configuration/changes', token, { changes }))).toEqual([
      403,
      expect.stringContaining('Change your own password with auth/password'),
    ]);
    expect(await loggedIn(keeper)).toBe(200);
  });

  it('does not remove the own second factor, which its user removes with a code', async () => {
    const secret = await begin(keeper);
    const confirmed = await post('second-factor/confirm', { ...keeper, code: codeOfApp(secret) });
    const [recoveryCode] = codesSchema.parse(confirmed.json()).recoveryCodes;
    const fresh = await tokenOf(keeper, recoveryCode);
    expect(refused(await request('DELETE', 'manager-users/keeper/second-factor', fresh))).toEqual([
      403,
      'Remove your own second factor with auth/second-factor/remove, which needs the password and a code',
    ]);
    expect(await loggedIn(keeper)).toBe(401);
    const [, another] = codesSchema.parse(confirmed.json()).recoveryCodes;
    expect((await post('second-factor/remove', { ...keeper, code: another })).status).toBe(204);
    token = await tokenOf(keeper);
  });

  it('still sets the passwords of others, as a help desk does', async () => {
    expect((await request('PATCH', 'manager-users/nobody', token, { password: chosen })).status).toBe(200);
    expect(await loggedIn({ username: 'nobody', password: chosen })).toBe(200);
  });
});

describe('a stolen API key', () => {
  it.each(ways)(
    'does not become a login by %s of the password of its user or of another one',
    async (_, setPassword) => {
      expect((await setPassword('keeper', key)).status).toBe(403);
      expect(refused(await setPassword('una', key))).toEqual([
        403,
        expect.stringContaining('Log in to change the password of the manager user una'),
      ]);
      expect([await loggedIn(keeper), await loggedIn({ username: 'una', password })]).toEqual([200, 200]);
    },
  );

  it('removes no second factor', async () => {
    const una = { username: 'una', password };
    expect((await post('second-factor/confirm', { ...una, code: codeOfApp(await begin(una)) })).status).toBe(200);
    for (const name of ['keeper', 'una']) {
      expect((await request('DELETE', `manager-users/${name}/second-factor`, key)).status, name).toBe(403);
    }
    expect(await loggedIn(una)).toBe(401);
  });

  it('still changes other settings, and creates users, as pipelines do', async () => {
    expect((await request('PATCH', 'manager-users/una', key, { enabled: false })).status).toBe(200);
    expect((await request('PATCH', 'manager-users/una', key, { enabled: true })).status).toBe(200);
    expect((await request('POST', 'manager-users', key, { name: 'made', password, roles: ['Users'] })).status).toBe(
      201,
    );
  });
});
