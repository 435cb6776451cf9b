import { createHttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import { beforeAll, describe, expect, it } from 'vitest';
import { codesSchema, secondFactorSite, tokensSchema } from './second-factor-site.ts';

const { site, api, post, begin, logIn } = secondFactorSite();
const password = 'the keeper of identities';
const keeper = { username: 'keeper', password };

let token: string;
let key: string;

const request = (method: string, path: string, bearer: string, json?: object) =>
  createHttpClient(site.manager.url).request(method, `${api}/${path}`, { bearer, ...(json && { json }) });
const refused = (response: HttpResponse) => [response.status, (response.json() as { detail?: string }).detail];
const tokenOf = async (user: object, code?: string) => tokensSchema.parse((await logIn(code, user)).json()).accessToken;

beforeAll(async () => {
  for (const [name, role] of [
    ['keeper', 'Administrators'],
    ['una', 'Users'],
  ]) {
    const { status, text } = await request('PUT', `manager-users/${name}`, site.manager.admin, {
      password,
      roles: [role],
    });
    if (status !== 201) throw new Error(text);
  }
  token = await tokenOf(keeper);
  key = ((await request('POST', 'api-keys', token, { name: 'stolen' })).json() as { key: string }).key;
});

describe('a link with an issuer', () => {
  const oidc = { issuer: 'https://login.example.org/realms/example', subject: 'thief' };
  const linkOf = async (name: string) =>
    ((await request('GET', `manager-users/${name}`, site.manager.admin)).json() as { oidc?: unknown }).oidc;
  const object = (name: string) => ({ collection: 'manager-users', name });
  /** Each way to link a manager user by a change of it. */
  const changes: readonly [string, (name: string, bearer: string) => Promise<HttpResponse>][] = [
    ['PATCH', (name, bearer) => request('PATCH', `manager-users/${name}`, bearer, { oidc })],
    [
      'PUT',
      (name, bearer) =>
        request('PUT', `manager-users/${name}`, bearer, {
          oidc,
          roles: [name === 'keeper' ? 'Administrators' : 'Users'],
        }),
    ],
    ['a dry run', (name, bearer) => request('PATCH', `manager-users/${name}?dryRun=true`, bearer, { oidc })],
    [
      'several changes',
      (name, bearer) =>
        request('POST', 'configuration/changes', bearer, { changes: [{ object: object(name), patch: { oidc } }] }),
    ],
    [
      'deleting and creating the user',
      (name, bearer) =>
        request('POST', 'configuration/changes', bearer, {
          changes: [
            { object: object(name), delete: true },
            { object: object(name), create: { oidc, roles: ['Administrators'] } },
          ],
        }),
    ],
  ];

  it.each(changes)('is not set by %s of the own user, with a token or an API key', async (_, change) => {
    for (const bearer of [token, key]) {
      expect(refused(await change('keeper', bearer))).toEqual([
        403,
        'Link your own user with an issuer with auth/oidc/link, which needs the password',
      ]);
    }
    expect(await linkOf('keeper')).toBeUndefined();
  });

  it.each(changes.slice(0, 4))('is not set by %s of a user who exists with an API key', async (_, change) => {
    expect(refused(await change('una', key))).toEqual([403, 'Log in to link the manager user una with an issuer']);
    expect(await linkOf('una')).toBeUndefined();
  });

  it('is set for others, for users who are created, and kept by other changes', async () => {
    expect((await request('PATCH', 'manager-users/una', token, { oidc })).status).toBe(200);
    expect((await request('PATCH', 'manager-users/una', key, { enabled: true })).status).toBe(200);
    expect((await request('PATCH', 'manager-users/una', key, { oidc: null })).status).toBe(200);
    const made = { name: 'linked', roles: ['Users'], oidc };
    expect((await request('POST', 'manager-users', key, made)).status).toBe(201);
    expect((await request('DELETE', 'manager-users/linked', key)).status).toBe(204);
  });

  let addresses = 0;
  const link = (bearer: string, json: object) =>
    createHttpClient(site.manager.url).post(`${api}/auth/oidc/link`, {
      bearer,
      json,
      headers: { 'x-forwarded-for': `203.0.113.${(addresses += 1)}` },
    });
  const answerTo = async (bearer: string, json: object) => {
    const response = await link(bearer, json);
    return [response.status, response.status === 204 ? undefined : (response.json() as { code?: string }).code];
  };

  it('is set with the password, of the own user alone, which other changes then keep', async () => {
    expect(await answerTo(token, { currentPassword: 'guessed', oidc })).toEqual([401, 'invalid_credentials']);
    expect(await answerTo(key, { currentPassword: password, oidc })).toEqual([403, 'not_permitted']);
    for (const wrong of [
      { oidc },
      { currentPassword: password },
      { currentPassword: password, oidc: { subject: 'x' } },
    ])
      expect(await answerTo(token, wrong)).toEqual([400, 'validation_failed']);
    const una = await tokenOf({ username: 'una', password });
    expect(await answerTo(una, { currentPassword: password, oidc })).toEqual([403, 'not_permitted']);
    expect(await linkOf('keeper')).toBeUndefined();

    expect(await answerTo(token, { currentPassword: password, oidc })).toEqual([204, undefined]);
    expect(await linkOf('keeper')).toEqual(oidc);
    expect((await request('GET', 'manager-users/keeper', token)).json()).toMatchObject({ roles: ['Administrators'] });
    expect((await request('PATCH', 'manager-users/keeper', token, { enabled: true })).status).toBe(200);
    // Nobody else is this user of the issuer.
    expect((await request('PATCH', 'manager-users/una', token, { oidc })).status).toBe(409);
    expect((await request('PATCH', 'manager-users/keeper', token, { oidc: { ...oidc, subject: 'b' } })).status).toBe(
      403,
    );
    expect((await request('PATCH', 'manager-users/keeper', token, { oidc: null })).status).toBe(200);
    expect(await linkOf('keeper')).toBeUndefined();
  });

  it('needs a code of the second factor, too', async () => {
    const confirmed = await post('second-factor/confirm', { ...keeper, code: codeOfApp(await begin(keeper)) });
    const [first, second] = codesSchema.parse(confirmed.json()).recoveryCodes;
    token = await tokenOf(keeper, first);
    const own = { currentPassword: password, oidc };
    expect((await request('PATCH', 'manager-users/keeper', token, { oidc: null })).status).toBe(200);
    expect(await answerTo(token, own)).toEqual([401, 'second_factor_required']);
    expect(await answerTo(token, { ...own, code: '000000' })).toEqual([401, 'second_factor_refused']);
    expect(await linkOf('keeper')).toBeUndefined();
    expect(await answerTo(token, { ...own, code: second })).toEqual([204, undefined]);
    expect(await linkOf('keeper')).toEqual(oidc);
  });

  it('counts guesses as failed logins', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.200' };
    const guess = () =>
      createHttpClient(site.manager.url).post(`${api}/auth/oidc/link`, {
        bearer: site.manager.admin,
        json: { currentPassword: 'guessed', oidc },
        headers,
      });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

it('a plan links neither the one who applies it with an issuer nor, with an API key, any user who exists', async () => {
  const linked = { issuer: 'https://login.example.org', subject: 'thief' };
  const owned = (oidc?: object) => ({
    managerUsers: [
      { name: 'vera', password, roles: ['Administrators'], ...(oidc && { oidc }) },
      { name: 'sam', password, roles: ['Users'] },
    ],
  });
  const { admin } = site.manager;
  const apply = async (document: object, bearer: string) => {
    const given = { file: 'team.yaml', document: JSON.stringify({ source: 'team', ...document }) };
    const { planId } = (await request('POST', 'configuration/plan', admin, given)).json() as { planId: string };
    return await request('POST', 'configuration/apply', bearer, { planId });
  };
  const codeOf = (response: HttpResponse) => [response.status, (response.json() as { code?: string }).code];
  expect((await apply(owned(), admin)).status).toBe(200);
  const vera = await tokenOf({ username: 'vera', password });
  for (const bearer of [vera, key]) expect(codeOf(await apply(owned(linked), bearer))).toEqual([403, 'not_permitted']);
  // By another administrator it is; then it stays, also in plans of its user and of keys, as long as it is the same.
  expect((await apply(owned(linked), admin)).status).toBe(200);
  const more = (name: string) => ({
    managerUsers: [
      ...owned(linked).managerUsers,
      { name, roles: ['Users'], oidc: { issuer: linked.issuer, subject: name } },
    ],
  });
  expect((await apply(more('tom'), vera)).status).toBe(200);
  expect((await apply(more('tim'), key)).status).toBe(200);
  const another = { ...linked, subject: 'another' };
  for (const bearer of [vera, key]) expect(codeOf(await apply(owned(another), bearer))).toEqual([403, 'not_permitted']);
  expect((await apply(owned(), vera)).status).toBe(200);
  const own = { currentPassword: password, oidc: linked };
  const owner = await request('POST', 'auth/oidc/link', vera, own);
  expect([codeOf(owner), owner.text]).toEqual([[409, 'entity_owned'], expect.stringContaining('team.yaml')]);
  expect((await apply({}, admin)).status).toBe(200);
});
