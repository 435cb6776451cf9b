import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';

const everything = ['jobs:*', 'approvals:run', 'expectations:*', 'configuration:*', 'queues:read'];

const configuration = {
  ...testConfiguration,
  roles: [
    { name: 'Team of acme', permissions: everything, actors: ['acme'] },
    { name: 'Identity keepers', permissions: ['identities:*', 'jobs:read'] },
    { name: 'Configurators', permissions: ['configuration:read', 'configuration:write'] },
    { name: 'Removers', permissions: ['configuration:*'] },
  ],
  managerUsers: [
    ...testConfiguration.managerUsers,
    { name: 'gina', password, roles: ['Team of acme'] },
    { name: 'ivan', password, roles: ['Identity keepers'] },
    { name: 'carol', password, roles: ['Configurators'] },
    { name: 'rita', password, roles: ['Removers'] },
  ],
};

let platform: TestPlatform;
let manager: TestJobManager;
let gina: string;
let ivan: string;
let carol: string;
let rita: string;

async function logIn(username: string): Promise<string> {
  const response = await manager.client.post(`${api}/auth/login`, { json: { username, password } });
  return (response.json() as { accessToken: string }).accessToken;
}

beforeAll(async () => {
  platform = await startTestPlatform();
  await platform.apply(configuration);
  manager = await startTestJobManager(platform);
  [gina, ivan, carol, rita] = [await logIn('gina'), await logIn('ivan'), await logIn('carol'), await logIn('rita')];
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const codeOf = (response: HttpResponse): [number, unknown] => [
  response.status,
  (response.json() as { code?: string }).code,
];
const put = (path: string, json: object, bearer: string) =>
  manager.client.request('PUT', `${api}/${path}`, { json, bearer });

const configurations = `${api}/configuration`;
const post = (path: string, json: object, bearer: string) =>
  manager.client.post(`${configurations}/${path}`, { json, bearer });
const planOf = async (document: object, bearer: string): Promise<string> => {
  const made = await post(
    'plan',
    { file: 'team.yaml', document: JSON.stringify({ source: 'team', ...document }) },
    bearer,
  );
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return (made.json() as { planId: string }).planId;
};
const mallory = { name: 'mallory', password, roles: ['Administrators'] };

it('a plan changes no manager user and no role for somebody who may not, also if an administrator has planned it', async () => {
  const role = { name: 'More', permissions: ['audit:*'] };
  for (const document of [{ managerUsers: [mallory] }, { roles: [role] }]) {
    const planId = await planOf(document, manager.admin);
    expect(codeOf(await post('apply', { planId }, carol))).toEqual([403, 'not_permitted']);
  }
  const users = await platform.database.query("SELECT FROM directory.manager_users WHERE name = 'mallory'");
  expect(users).toEqual([]);
});

it('a plan changes no account policy, and chooses none for an actor, for somebody who may not change identities', async () => {
  const accountPolicies = [{ name: 'weak', sshKeys: { allowed: true } }];
  const actors = [{ name: 'umbrella', type: 'Partner', accountPolicy: 'weak' }];
  const refused = async (document: object) =>
    codeOf(await post('apply', { planId: await planOf(document, carol) }, carol));
  expect(await refused({ accountPolicies })).toEqual([403, 'not_permitted']);
  const applied = await post('apply', { planId: await planOf({ accountPolicies }, manager.admin) }, manager.admin);
  expect(applied.status).toBe(200);
  expect(await refused({ accountPolicies, actors })).toEqual([403, 'not_permitted']);
  expect(await refused({})).toEqual([403, 'not_permitted']);
  // The same by address, and together with other changes.
  const policy = { collection: 'account-policies', name: 'lax' };
  const change = { changes: [{ object: policy, create: { sshKeys: { allowed: true } } }] };
  expect(codeOf(await post('changes', change, carol))).toEqual([403, 'not_permitted']);
  expect(codeOf(await put('account-policies/lax', {}, carol))).toEqual([403, 'not_permitted']);
  expect((await post('apply', { planId: await planOf({}, manager.admin) }, manager.admin)).status).toBe(200);
});

it('an actor loses its account policy in no way for somebody who may not change identities: not by its deletion either', async () => {
  const accountPolicies = [{ name: 'weak', sshKeys: { allowed: true } }];
  const actors = [{ name: 'umbrella', type: 'Partner', accountPolicy: 'weak' }];
  const planned = await planOf({ accountPolicies, actors }, manager.admin);
  expect((await post('apply', { planId: planned }, manager.admin)).status).toBe(200);
  const without = await planOf({ accountPolicies }, rita);
  const refused = await post('apply', { planId: without }, rita);
  expect([codeOf(refused), refused.text]).toEqual([[403, 'not_permitted'], expect.stringContaining('account policy')]);

  const umbrella = { collection: 'actors', name: 'umbrella' };
  expect((await post('release', { source: 'team', objects: [umbrella] }, manager.admin)).status).toBe(204);
  const again = {
    changes: [
      { object: umbrella, delete: true },
      { object: umbrella, create: { type: 'Partner' } },
    ],
  };
  expect(codeOf(await post('changes', again, rita))).toEqual([403, 'not_permitted']);
  const remove = (bearer: string) => manager.client.request('DELETE', `${api}/actors/umbrella`, { bearer });
  expect(codeOf(await remove(rita))).toEqual([403, 'not_permitted']);
  const kept = await manager.client.get(`${api}/actors/umbrella`, { bearer: rita });
  expect(kept.json()).toMatchObject({ accountPolicy: 'weak' });
  expect((await remove(manager.admin)).status).toBe(204);
  expect((await put('actors/plain', { type: 'Partner' }, rita)).status).toBe(201);
  expect((await manager.client.request('DELETE', `${api}/actors/plain`, { bearer: rita })).status).toBe(204);
  expect((await post('apply', { planId: await planOf({}, manager.admin) }, manager.admin)).status).toBe(200);
});

it('a plan shows no manager user and no role to somebody who may not read them', async () => {
  const shown = { file: 'test.yaml', document: JSON.stringify({ ...configuration, managerUsers: [mallory] }) };
  const refused = await post('plan', shown, carol);
  expect([codeOf(refused), refused.text]).toEqual([[403, 'not_permitted'], expect.stringContaining('identities:read')]);
  for (const name of ['ivan', 'gina', 'viewer']) expect(refused.text).not.toContain(name);
  expect((await post('plan', shown, manager.admin)).text).toContain('ivan');
});

it('errors of a plan and of a check name no manager user and no role to somebody who may not read them', async () => {
  const umbrella = { actors: [{ name: 'umbrella', type: 'Partner' }] };
  expect((await post('apply', { planId: await planOf(umbrella, manager.admin) }, manager.admin)).status).toBe(200);
  const secret = { permissions: ['jobs:read'], actors: ['umbrella'] };
  expect((await put('roles/Night%20watch', secret, manager.admin)).status).toBe(201);
  const given = (document: object) => ({
    file: 'team.yaml',
    document: JSON.stringify({ source: 'team', ...document }),
  });
  const inUse = { errors: [{ field: '', message: 'A manager user or role would be in error' }] };
  const planned = await post('plan', given({}), carol);
  expect([planned.status, planned.json()]).toEqual([400, expect.objectContaining(inUse)]);
  expect(planned.text).not.toContain('Night');
  const checked = await post('validate', given({}), carol);
  expect([checked.status, checked.json()]).toEqual([200, { isValid: false, ...inUse }]);
  expect((await post('validate', given({}), manager.admin)).text).toContain('Role Night watch of the API');

  for (const document of [
    { managerUsers: [{ name: 'gina', roles: ['Auditors'] }] },
    { roles: [{ name: 'Night watch', permissions: ['jobs:read'] }] },
  ]) {
    for (const path of ['plan', 'validate']) {
      const refused = await post(path, given(document), carol);
      expect([codeOf(refused), refused.text]).toEqual([
        [403, 'not_permitted'],
        expect.stringContaining('identities:read'),
      ]);
      expect(refused.text).not.toContain('belongs to');
    }
  }
  await manager.client.request('DELETE', `${api}/roles/Night%20watch`, { bearer: manager.admin });
  expect((await post('apply', { planId: await planOf({}, manager.admin) }, manager.admin)).status).toBe(200);
});

it('a plan issues no first password of a user whom it does not change', async () => {
  const newcomer = { name: 'newcomer', roles: ['Administrators'] };
  expect((await put('manager-users/newcomer', newcomer, manager.admin)).status).toBe(201);
  const planId = await planOf({ actors: [{ name: 'umbrella', type: 'Partner' }] }, carol);
  const answer = await post('apply', { planId }, carol);
  expect([answer.status, answer.json()]).toEqual([200, expect.objectContaining({ firstPasswords: [] })]);

  const own = { managerUsers: [{ name: 'second', roles: ['Auditors'] }] };
  const issued = await post('apply', { planId: await planOf(own, manager.admin) }, manager.admin);
  expect(issued.json()).toMatchObject({ firstPasswords: [{ userName: 'second' }] });
  expect((await post('apply', { planId: await planOf({}, manager.admin) }, manager.admin)).status).toBe(200);
  await manager.client.request('DELETE', `${api}/manager-users/newcomer`, { bearer: manager.admin });
});

it('a plan deletes nothing for somebody who may only create and change', async () => {
  const umbrella = { name: 'umbrella', type: 'Partner' };
  const created = await post('apply', { planId: await planOf({ actors: [umbrella] }, carol) }, carol);
  expect([created.status, created.text]).toEqual([200, expect.any(String)]);
  const planId = await planOf({ actors: [] }, carol);
  expect(codeOf(await post('apply', { planId }, carol))).toEqual([403, 'not_permitted']);
  expect((await post('apply', { planId }, manager.admin)).status).toBe(200);
});

it('a plan and an export are refused to roles that are limited to actors, and an export needs both permissions', async () => {
  const body = { file: 'team.yaml', document: '{"source":"team"}' };
  expect(codeOf(await post('plan', body, gina))).toEqual([403, 'not_permitted']);
  for (const bearer of [gina, carol, ivan]) {
    expect(codeOf(await manager.client.get(`${configurations}/export`, { bearer }))).toEqual([403, 'not_permitted']);
  }
});

it('a plan sets neither the password of the one who applies it nor, with an API key, that of any user who exists', async () => {
  const owned = (given: string) => ({
    managerUsers: [
      { name: 'vera', password: given, roles: ['Administrators'] },
      { name: 'sam', password, roles: ['Users'] },
    ],
  });
  expect((await post('apply', { planId: await planOf(owned(password), manager.admin) }, manager.admin)).status).toBe(
    200,
  );
  const vera = await logIn('vera');
  const own = await planOf(owned('another-password-of-vera'), vera);
  expect(codeOf(await post('apply', { planId: own }, vera))).toEqual([403, 'not_permitted']);

  const created = await manager.client.post(`${api}/api-keys`, { json: { name: 'ci' }, bearer: manager.admin });
  const { key } = created.json() as { key: string };
  expect(codeOf(await post('apply', { planId: own }, key))).toEqual([403, 'not_permitted']);
  expect(await logIn('vera')).toEqual(expect.any(String));

  const more = { managerUsers: [...owned(password).managerUsers, { name: 'tom', roles: ['Users'] }] };
  const applied = await post('apply', { planId: await planOf(more, key) }, key);
  expect([applied.status, applied.json()]).toEqual([
    200,
    expect.objectContaining({ firstPasswords: [expect.objectContaining({ userName: 'tom' })] }),
  ]);
  const changed = more.managerUsers.map((user) => (user.name === 'tom' ? { ...user, roles: ['Auditors'] } : user));
  const again = await post('apply', { planId: await planOf({ managerUsers: changed }, key) }, key);
  expect([again.status, again.json()]).toEqual([200, expect.objectContaining({ firstPasswords: [] })]);
  expect((await post('apply', { planId: await planOf({}, manager.admin) }, manager.admin)).status).toBe(200);
});
