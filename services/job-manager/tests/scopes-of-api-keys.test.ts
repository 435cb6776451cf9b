import { permissionNames } from '@waybill/contracts/roles/permissions';
import { describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const api = '/platform-application/api/v1';
const password = 'a-password-of-the-tests';
const site = oneJobManager();

const request = (method: 'PUT' | 'DELETE', path: string, json?: object) =>
  site.manager.client.request(method, `${api}/${path}`, { ...(json && { json }), bearer: site.manager.admin });
const put = async (path: string, json: object): Promise<void> => {
  expect([200, 201]).toContain((await request('PUT', path, json)).status);
};
const post = (json: object, bearer = site.manager.admin) =>
  site.manager.client.post(`${api}/api-keys`, { json, bearer });
const keyOf = async (json: object, bearer?: string): Promise<string> => {
  const response = await post(json, bearer);
  expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  return (response.json() as { key: string }).key;
};
/** What a caller may do: each permission, with the actors to which it is limited. */
const allowed = async (bearer: string): Promise<string[]> => {
  const response = await site.manager.client.get(`${api}/auth/permissions`, { bearer });
  if (response.status !== 200) return [String(response.status)];
  const { permissions } = response.json() as { permissions: { name: string; actors?: string[] | null }[] };
  return permissions.map(({ name, actors }) => (actors ? `${name} for ${actors.join(', ')}` : name));
};
const errorsOf = async (json: object, bearer?: string): Promise<unknown> => {
  const response = await post(json, bearer);
  expect(response.status).toBe(400);
  return (response.json() as { errors: unknown }).errors;
};
/** A user with these roles, logged in. */
const userWith = async (name: string, roles: readonly string[]): Promise<string> => {
  await put(`manager-users/${name}`, { password, roles });
  const login = await site.manager.client.post(`${api}/auth/login`, { json: { username: name, password } });
  return (login.json() as { accessToken: string }).accessToken;
};
const soon = { timeout: 3_000, interval: 50 };

describe('the scope of an API key', () => {
  it('is permissions without a role, for some actors or for all', async () => {
    await put('actors/stark', { type: 'Partner' });
    const permissions = ['jobs:read', 'jobs:run'];
    const created = await post({ name: 'narrow', permissions, actors: ['stark'] });
    expect(created.json()).toMatchObject({ roles: [], permissions, actors: ['stark'] });
    const { key } = created.json() as { key: string };
    expect(await allowed(key)).toEqual(['jobs:read for stark', 'jobs:run for stark']);
    const seen = await site.manager.client.get('/job-manager/jobs', { bearer: key });
    expect([seen.status, seen.json()]).toEqual([200, { jobs: [] }]);
    // As for a contract that does not exist.
    expect((await site.manager.submit({ contractName: 'invoices', actionName: 'write-report' }, key)).status).toBe(400);
    expect((await site.manager.client.get('/job-manager/queues', { bearer: key })).status).toBe(403);

    expect(await allowed(await keyOf({ name: 'queues', permissions: ['queues:*'] }))).toEqual([
      'queues:read',
      'queues:write',
    ]);
    const listed = await site.manager.client.get(`${api}/api-keys`, { bearer: site.manager.admin });
    expect(listed.json()).toMatchObject({
      items: expect.arrayContaining([
        expect.objectContaining({ name: 'queues', roles: [], permissions: ['queues:*'] }),
      ]),
    });
  });

  it('is permissions besides roles, and any role within the rights of the owner', async () => {
    const key = await keyOf({ name: 'both', roles: ['Auditors'], permissions: ['jobs:run', 'audit:read'] });
    expect(await allowed(key)).toEqual(['jobs:run', 'audit:read']);
    expect(await allowed(await keyOf({ name: 'whole' }))).toEqual([...permissionNames]);
    await put('roles/Watchers', { permissions: ['jobs:read'] });
    expect(await allowed(await keyOf({ name: 'watch', roles: ['Watchers'] }))).toEqual(['jobs:read']);
  });

  it('is not wider than the rights of the owner', async () => {
    await put('actors/wayne', { type: 'Partner' });
    await put('roles/Desk of wayne', { permissions: ['jobs:*', 'configuration:read'], actors: ['wayne'] });
    const desk = await userWith('desk', ['Desk of wayne', 'Auditors']);
    expect(await errorsOf({ name: 'x', permissions: ['jobs:read', 'identities:*', 'audit:write'] }, desk)).toEqual([
      {
        field: 'permissions[1]',
        message: 'you do not have identities:read, identities:write, identities:delete',
      },
      { field: 'permissions[2]', message: 'you do not have audit:write' },
    ]);
    // One verb of a resource is not all of them.
    expect(await errorsOf({ name: 'x', permissions: ['audit:*'] }, desk)).toMatchObject([{ field: 'permissions[0]' }]);
    expect(await errorsOf({ name: 'x', permissions: ['audit:read', 'queues:read'], actors: ['wayne'] }, desk)).toEqual([
      { field: 'permissions[1]', message: 'you do not have queues:read for all of the actors' },
    ]);
    // A role that exists and one that does not are refused alike.
    const roles = ['Auditors', 'Users', 'Administrators', 'No such role', '__proto__'];
    expect(await errorsOf({ name: 'x', roles }, desk)).toEqual(
      roles.slice(1).map((role, index) => ({
        field: `roles[${index + 1}]`,
        message: `there is no role ${role} within your rights`,
      })),
    );
    // What the owner has for some actors, the key has for them, also without naming them.
    await put('roles/Runners', { permissions: ['jobs:run'] });
    expect(await errorsOf({ name: 'x', roles: ['Runners'] }, desk)).toMatchObject([{ field: 'roles[0]' }]);
    expect(await allowed(await keyOf({ name: 'of-role', roles: ['Runners'], actors: ['wayne'] }, desk))).toEqual([
      'jobs:run for wayne',
    ]);
    expect(await allowed(await keyOf({ name: 'plain', permissions: ['jobs:*'] }, desk))).toEqual([
      'jobs:read for wayne',
      'jobs:run for wayne',
      'jobs:write for wayne',
    ]);
  });

  it('shrinks with the rights of the owner and of its roles, and does not grow beyond them', async () => {
    await put('roles/Changing', { permissions: ['jobs:*', 'queues:*'] });
    await put('roles/Small', { permissions: ['jobs:read'] });
    const bearer = await userWith('reduced', ['Changing']);
    const wild = await keyOf({ name: 'wild', permissions: ['jobs:*', 'queues:read'] }, bearer);
    const small = await keyOf({ name: 'small', roles: ['Small'] }, bearer);
    expect(await allowed(wild)).toEqual(['jobs:read', 'jobs:run', 'jobs:write', 'queues:read']);
    expect(await allowed(small)).toEqual(['jobs:read']);

    await put('roles/Small', { permissions: ['jobs:*', 'audit:*', 'identities:*'] });
    await expect.poll(() => allowed(small), soon).toEqual(['jobs:read', 'jobs:run', 'jobs:write']);
    await put('roles/Changing', { permissions: ['jobs:read', 'audit:read'] });
    await expect.poll(() => allowed(wild), soon).toEqual(['jobs:read']);
    await expect.poll(() => allowed(small), soon).toEqual(['jobs:read', 'audit:read']);
    await put('manager-users/reduced', { roles: ['Users'] });
    await expect.poll(() => allowed(wild), soon).toEqual(['jobs:read', 'queues:read']);
    await put('manager-users/reduced', { roles: ['Auditors'] });
    await expect.poll(() => allowed(wild), soon).toEqual([]);
    await put('manager-users/reduced', { roles: ['Auditors'], enabled: false });
    await expect.poll(() => allowed(wild), soon).toEqual(['401']);
  });

  it('loses a role that is deleted: a later role of the same name is another one', async () => {
    const role = { permissions: ['jobs:read'] };
    await put('roles/Passing', role);
    const only = await keyOf({ name: 'passing', roles: ['Passing'] });
    const more = await keyOf({ name: 'more', roles: ['Passing'], permissions: ['queues:read'] });
    expect(await allowed(more)).toEqual(['jobs:read', 'queues:read']);
    expect((await request('DELETE', 'roles/Passing')).status).toBe(204);
    await put('roles/Passing', role);
    await expect.poll(() => allowed(only), soon).toEqual(['401']);
    await expect.poll(() => allowed(more), soon).toEqual(['queues:read']);
  });
});
