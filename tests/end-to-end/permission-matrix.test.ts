import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Grant, grantsOf, reachOf } from '@waybill/access/principal';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { builtInRoleNames } from '@waybill/contracts/roles/built-in-roles';
import { permissionNames } from '@waybill/contracts/roles/permissions';
import { interfaceAreas } from '@waybill/docs/interface-areas';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PlatformProcess, startPlatformProcess } from './platform-process.ts';

const demoFile = fileURLToPath(new URL('../../deploy/demo/platform.yaml', import.meta.url));
const api = '/platform-application/api/v1';

/** Everything for one actor, and everything that can be read of one. */
const limitedRoles = [
  { name: 'Everything of acme', description: '', permissions: permissionNames, actors: ['acme'] },
  {
    name: 'Reads acme',
    description: '',
    permissions: permissionNames.filter((p) => p.endsWith(':read')),
    actors: ['acme'],
  },
] as const;

const roles = [...builtInRoleNames, ...limitedRoles.map(({ name }) => name)];
const userOf = (role: string): string => role.toLowerCase().replaceAll(' ', '-');
const defined = new Map(limitedRoles.map((role) => [role.name as string, role]));

const endpoints: readonly EndpointContract[] = Object.values(interfaceAreas).flatMap((area) => area.endpoints);
const administrative = endpoints.filter(({ authentication }) => authentication.kind === 'bearer');

const resources = new AsyncDisposableStack();
const tokens = new Map<string, string>();
const tokenOf = (user: string): string => tokens.get(user) ?? '';
let platform: PlatformProcess;

beforeAll(async () => {
  const folder = resources.use(await createTestFolder());
  const file = join(folder.path, 'platform.yaml');
  const demo = await readFile(demoFile, 'utf8');
  const users = roles.map((role) => ({ name: userOf(role), password: 'a-password-of-the-tests', roles: [role] }));
  const lines = users.map((user) => `  - ${JSON.stringify(user)}\n`).join('');
  const own = limitedRoles.map((role) => `  - ${JSON.stringify(role)}\n`).join('');
  await writeFile(file, demo.replace('managerUsers:\n', `roles:\n${own}managerUsers:\n${lines}`));
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  for (const { name: username, password } of users) {
    const login = await platform.http().post(`${api}/auth/login`, { json: { username, password } });
    tokens.set(username, z.object({ accessToken: z.string() }).parse(login.json()).accessToken);
  }
});
afterAll(() => resources.disposeAsync());

/** A name that nothing has, and a number: that of a session would end a login of this test. */
const nothing = '999999999';

/** Calls an endpoint with an address that names nothing, and without a body: callers who may call it get another refusal. */
async function call(
  { method, path }: EndpointContract,
  role: string,
): Promise<{ status: number; code: string | undefined }> {
  const address = path.replaceAll(/\{\/\*\w+\}/gu, '/a').replaceAll(/[*:]\w+/gu, nothing);
  const authorization = `Bearer ${tokenOf(userOf(role))}`;
  const gone = new AbortController();
  // Only the headers: some responses are streams of events without an end.
  const response = await fetch(platform.url + address, { method, headers: { authorization }, signal: gone.signal });
  try {
    if (response.status < 400) return { status: response.status, code: undefined };
    return { status: response.status, code: problemSchema.parse(await response.json()).code };
  } finally {
    gone.abort();
  }
}

/** Whether the contract lets a caller with these grants call the endpoint. */
function isAllowed({ authentication }: EndpointContract, grants: readonly Grant[]): boolean {
  if (authentication.kind !== 'bearer' || authentication.permission === undefined) return true;
  const reach = reachOf(grants, authentication.permission);
  return reach === 'all' || (authentication.ofActor === true && reach.length > 0);
}

describe('the permission matrix', () => {
  it.each(administrative.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s is for those roles that its contract says, and no others',
    async (_, endpoint) => {
      for (const role of roles) {
        const { status, code } = await call(endpoint, role);
        const isRefused = status === 401 || code === 'not_permitted';
        expect([role, isRefused, code], `${status}`).toEqual([
          role,
          !isAllowed(endpoint, grantsOf([role], defined)),
          code,
        ]);
      }
    },
  );

  it('has each role both among the refused and among the admitted', () => {
    for (const role of roles) {
      const admitted = administrative.filter((endpoint) => isAllowed(endpoint, grantsOf([role], defined)));
      expect(admitted.length, role).toBeGreaterThan(0);
      if (role !== 'Administrators') expect(admitted.length, role).toBeLessThan(administrative.length);
    }
  });
});

const recordSchema = z.object({ context: z.object({ apiKey: z.int().optional() }) });

const statuses = async (bearer: string): Promise<number[]> => {
  const paths = ['/job-manager/jobs', `${api}/audit/keys`, `${api}/infrastructure/login-bans`];
  return await Promise.all(paths.map(async (path) => (await platform.http().get(path, { bearer })).status));
};

it('an API key is accepted by every service, and by none within two seconds after it was revoked', async () => {
  const bearer = tokenOf('administrators');
  const created = await platform.http().post(`${api}/api-keys`, { bearer, json: { name: 'everywhere' } });
  const { id, key } = z.object({ id: z.number(), key: z.string() }).parse(created.json());
  expect(await statuses(key)).toEqual([200, 200, 200]);
  // What is done and refused with it is audited with its number, by each service.
  const freeze = `${api}/infrastructure/users/initech/freeze`;
  expect((await platform.http().put(freeze, { bearer: key })).status).toBe(200);
  expect((await platform.http().request('DELETE', freeze, { bearer })).status).toBeLessThan(300);
  const actor = { bearer: key, json: { type: 'Partner' } };
  expect((await platform.http().request('PUT', `${api}/actors/of-key`, actor)).status).toBe(201);
  expect((await platform.http().request('DELETE', `${api}/actors/of-key`, { bearer: key })).status).toBe(204);
  const keysIn = async (q: string): Promise<unknown[]> => {
    const query = { q, format: 'ndjson' };
    const { text } = await platform.http().get(`${api}/audit/export`, { bearer, query });
    const lines = text.split('\n').filter((line) => line.includes('"auditCode"'));
    return lines.map((line) => recordSchema.parse(JSON.parse(line)).context.apiKey);
  };
  await expect.poll(() => keysIn('{auditCode="AUD0037A",entityName="initech"}')).toContain(id);
  await expect.poll(() => keysIn('{entityName="of-key"}')).toEqual([id, id]);
  // Of one user a few refusals of a minute are recorded each by itself, and the tests above have caused many.
  const refusals = async (path: string, json: object, endpoint: string) => {
    const { status } = await platform.http().post(`${api}/${path}`, { bearer: key, json });
    return [status, ...(await keysIn(`{entityName="${endpoint}"}`))];
  };
  const patiently = { timeout: 150_000, interval: 3_000 };
  const child = () => refusals('api-keys', { name: 'child' }, 'createApiKey');
  await expect.poll(child, patiently).toEqual(expect.arrayContaining([403, id]));
  const hold = () => refusals('audit/holds', {}, 'placeAuditHold');
  await expect.poll(hold, patiently).toEqual(expect.arrayContaining([400, id]));
  expect(await keysIn(`{entityType="API Key",entityId="${id}"}`)).toEqual([undefined]);
  expect((await platform.http().request('DELETE', `${api}/api-keys/${id}`, { bearer })).status).toBe(204);
  await expect.poll(() => statuses(key), { timeout: 2_000, interval: 50 }).toEqual([401, 401, 401]);
}, 400_000);

describe('a change of a role', () => {
  const asAdministrator = (method: 'PUT' | 'DELETE', path: string, json?: object) =>
    platform.http().request(method, `${api}/${path}`, {
      bearer: tokenOf('administrators'),
      ...(json && { json }),
    });
  it('is in force in every service at once, for tokens that were issued before too', async () => {
    const permissions = ['jobs:read', 'audit:read', 'bans:read'];
    expect((await asAdministrator('PUT', 'roles/Varying', { permissions: ['jobs:read'] })).status).toBe(201);
    const user = { name: 'varying', password: 'a-password-of-the-tests', roles: ['Varying'] };
    expect((await asAdministrator('PUT', 'manager-users/varying', user)).status).toBe(201);
    const login = await platform
      .http()
      .post(`${api}/auth/login`, { json: { username: user.name, password: user.password } });
    const { accessToken } = z.object({ accessToken: z.string() }).parse(login.json());
    const soon = { timeout: 3_000, interval: 50 };
    expect(await statuses(accessToken)).toEqual([200, 403, 403]);

    await asAdministrator('PUT', 'roles/Varying', { permissions });
    await expect.poll(() => statuses(accessToken), soon).toEqual([200, 200, 200]);
    await asAdministrator('PUT', 'manager-users/varying', { name: 'varying', roles: ['Auditors'] });
    await expect.poll(() => statuses(accessToken), soon).toEqual([403, 200, 403]);
    await asAdministrator('PUT', 'manager-users/varying', { name: 'varying', roles: ['Varying'], enabled: false });
    await expect.poll(() => statuses(accessToken), soon).toEqual([401, 401, 401]);
    expect((await asAdministrator('DELETE', 'roles/Varying')).json()).toMatchObject({ code: 'entity_in_use' });
    expect((await asAdministrator('DELETE', 'manager-users/varying')).status).toBe(204);
    expect((await asAdministrator('DELETE', 'roles/Varying')).status).toBe(204);
  });
});
