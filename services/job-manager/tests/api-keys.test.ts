import { newApiKey } from '@waybill/access/api-key';
import { problemSchema } from '@waybill/contracts/errors/problem';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

const api = '/platform-application/api/v1';
const jobs = '/job-manager/jobs';

let platform: TestPlatform;
let manager: TestJobManager;

beforeAll(async () => {
  platform = await startTestPlatform();
  manager = await startTestJobManager(platform);
});
afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

interface Created {
  readonly id: number;
  readonly key: string;
  readonly expiresAt: string;
}

const post = (json: object, bearer = manager.admin) => manager.client.post(`${api}/api-keys`, { json, bearer });
const create = async (json: object, bearer?: string): Promise<Created> => {
  const response = await post(json, bearer);
  expect(response.status, response.text).toBe(201);
  return response.json() as Created;
};
const statusWith = async (bearer: string, address = jobs): Promise<number> =>
  (await manager.client.get(address, { bearer })).status;
const codeOf = (response: HttpResponse): [number, string] => [
  response.status,
  problemSchema.parse(response.json()).code,
];
const revoke = (id: number, bearer = manager.admin) =>
  manager.client.request('DELETE', `${api}/api-keys/${id}`, { bearer });

describe('an API key', () => {
  it('is shown once, stored as a hash, works at once, remembers its use, and is refused soon after it was revoked', async () => {
    const { id, key, expiresAt } = await create({ name: 'ci' });
    expect(key).toMatch(/^wbk_/u);
    const days = (Date.parse(expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(90);
    expect(await statusWith(key)).toBe(200);
    expect((await manager.submit({ contractName: 'invoices', actionName: 'write-report' }, key)).json()).toMatchObject({
      submittedBy: 'admin',
    });
    const listed = await manager.client.get(`${api}/api-keys`, { bearer: manager.admin });
    expect(listed.json()).toMatchObject({ items: [{ id, name: 'ci', user: 'admin', lastUsedFrom: '127.0.0.1' }] });
    expect(listed.text).not.toContain(key);
    const stored = await platform.database.query('SELECT api_keys::text AS row FROM access.api_keys');
    expect(JSON.stringify(stored)).not.toContain(key.slice(4));

    expect((await revoke(id)).status).toBe(204);
    await expect.poll(() => statusWith(key), { timeout: 2_000, interval: 50 }).toBe(401);
    expect(codeOf(await revoke(id))).toEqual([404, 'entity_unknown']);
    const events = await platform.database.query(
      `SELECT payload ->> 'auditMessage' AS message FROM outbox.events WHERE payload ->> 'entityType' = 'API Key' ORDER BY created_at, id`,
    );
    expect(events.map(({ message }) => message)).toEqual([
      `User admin has created the API Key called admin/ci with id ${id}`,
      `User admin has deleted the API Key called admin/ci with id ${id}`,
    ]);
  });

  it('has no more than the roles and actors that it was given, and those that its owner still has', async () => {
    const viewing = await create({ name: 'viewing', roles: ['Users'] }, manager.viewer);
    expect(await statusWith(viewing.key)).toBe(200);
    expect((await manager.submit({ contractName: 'invoices', actionName: 'write-report' }, viewing.key)).status).toBe(
      403,
    );
    const initech = { json: { type: 'Partner' }, bearer: manager.admin };
    expect((await manager.client.request('PUT', `${api}/actors/initech`, initech)).status).toBe(201);
    const { key } = await create({ name: 'of-initech', actors: ['initech'] });
    expect((await manager.client.get(jobs, { bearer: key })).json()).toEqual({ jobs: [] });
    expect(await statusWith(key, '/job-manager/queues')).toBe(403);
    expect(codeOf(await post({ name: 'more', roles: ['Administrators'] }, manager.viewer))).toEqual([
      400,
      'validation_failed',
    ]);

    await platform.database.query(`UPDATE directory.manager_users SET roles = '{Auditors}' WHERE name = 'viewer'`);
    await expect.poll(() => statusWith(viewing.key)).toBe(403);
    await platform.database.query(`UPDATE directory.manager_users SET enabled = false WHERE name = 'viewer'`);
    await expect.poll(() => statusWith(viewing.key)).toBe(401);
    await platform.database.query(
      `UPDATE directory.manager_users SET enabled = true, roles = '{Users}' WHERE name = 'viewer'`,
    );
    await expect.poll(() => statusWith(viewing.key)).toBe(200);
  });

  it('is limited to actors that exist and that its owner reaches, and loses those that are deleted', async () => {
    const actor = (method: 'PUT' | 'DELETE', name: string) =>
      manager.client.request(method, `${api}/actors/${name}`, {
        ...(method === 'PUT' && { json: { type: 'Partner' } }),
        bearer: manager.admin,
      });
    for (const name of ['vandelay', 'kramerica']) expect((await actor('PUT', name)).status).toBe(201);
    const role = { permissions: ['configuration:read'], actors: ['kramerica'] };
    const put = (path: string, json: object) =>
      manager.client.request('PUT', `${api}/${path}`, { json, bearer: manager.admin });
    expect((await put('roles/Kramerica', role)).status).toBe(201);
    const password = 'a-password-of-the-tests';
    expect((await put('manager-users/kay', { password, roles: ['Kramerica'] })).status).toBe(201);
    const login = await manager.client.post(`${api}/auth/login`, { json: { username: 'kay', password } });
    const kay = (login.json() as { accessToken: string }).accessToken;

    const refusal = async (json: object, bearer?: string) => {
      const { status, json: body } = await post(json, bearer);
      return { status, ...(body() as object) };
    };
    for (const name of ['nobody', 'Vandelay', '__proto__']) {
      expect(await refusal({ name: 'wrong', actors: ['vandelay', name] })).toMatchObject({
        status: 400,
        code: 'validation_failed',
        errors: [{ field: 'actors[1]', message: `there is no actor ${name}` }],
      });
    }
    // Whether an actor exists that kay does not reach is not disclosed.
    for (const name of ['vandelay', 'nobody']) {
      expect(await refusal({ name: 'far', actors: [name] }, kay)).toMatchObject({
        errors: [{ field: 'actors[0]', message: `there is no actor ${name}` }],
      });
    }
    const near = await create({ name: 'near', actors: ['kramerica'] }, kay);
    const only = await create({ name: 'only-vandelay', actors: ['vandelay'] });
    const both = await create({ name: 'both', actors: ['kramerica', 'vandelay'] });
    const seen = async (bearer: string) => {
      const response = await manager.client.get(`${api}/actors`, { bearer });
      const { items = [] } = response.json() as { items?: { name: string }[] };
      return [response.status, ...items.map(({ name }) => name)];
    };
    expect(await seen(both.key)).toEqual([200, 'kramerica', 'vandelay']);
    expect(await seen(near.key)).toEqual([200, 'kramerica']);
    expect((await actor('DELETE', 'vandelay')).status).toBe(204);
    expect((await actor('PUT', 'vandelay')).status).toBe(201);
    await expect.poll(() => seen(only.key)).toEqual([401]);
    await expect.poll(() => seen(both.key)).toEqual([200, 'kramerica']);
    expect(codeOf(await actor('DELETE', 'kramerica'))).toEqual([409, 'entity_in_use']);
  });

  it('creates no other key, and is not revoked by users who may not', async () => {
    const { id, key } = await create({ name: 'only' });
    expect(codeOf(await post({ name: 'child' }, key))).toEqual([403, 'not_permitted']);
    expect(codeOf(await revoke(id, manager.viewer))).toEqual([404, 'entity_unknown']);
    const own = await manager.client.get(`${api}/api-keys`, { bearer: manager.viewer });
    expect((own.json() as { items: { user: string }[] }).items.every(({ user }) => user === 'viewer')).toBe(true);
    expect(codeOf(await post({ name: 'only' }))).toEqual([409, 'entity_exists']);
    expect(await statusWith(key)).toBe(200);
  });

  it.each([
    ['no name', {}],
    ['a name that could be taken for another one', { name: 'c\u200Bi' }],
    ['no role', { name: 'x', roles: [] }],
    ['no permission', { name: 'x', permissions: [] }],
    ['an unknown permission', { name: 'x', permissions: ['jobs:read', 'jobs:frobnicate'] }],
    ['all permissions at once', { name: 'x', permissions: ['*'] }],
    ['a verb of all resources', { name: 'x', permissions: ['*:read'] }],
    ['a network with an impossible prefix', { name: 'x', networks: ['192.0.2.0/33'] }],
    ['an end that is over', { name: 'x', expires: '2020-01-01' }],
    ['an end that is far away', { name: 'x', expires: '2099-01-01' }],
    ['another setting', { name: 'x', owner: 'viewer' }],
    ['a huge list', { name: 'x', networks: Array.from({ length: 51 }, () => '192.0.2.1') }],
  ])('is not created with %s', async (_, json) => {
    expect(codeOf(await post(json))).toEqual([400, 'validation_failed']);
  });

  it('is refused with 401 and the form of the interface if it is wrong, truncated, huge, expired or used from elsewhere', async () => {
    const good = await create({ name: 'good' });
    const expired = await create({ name: 'expired' });
    const elsewhere = await create({ name: 'elsewhere', networks: ['192.0.2.0/24', '2001:db8::/32'] });
    await platform.database.query(`UPDATE access.api_keys SET expires_at = now() WHERE name = 'expired'`);
    const altered = `${good.key.slice(0, 10)}${good.key[10] === 'A' ? 'B' : 'A'}${good.key.slice(11)}`;
    const wrong = {
      altered,
      truncated: good.key.slice(0, -1),
      longer: `${good.key}A`,
      prefix: 'wbk_',
      huge: `wbk_${'A'.repeat(7_000)}`,
      unknown: newApiKey(),
      expired: expired.key,
      elsewhere: elsewhere.key,
    };
    for (const [what, bearer] of Object.entries(wrong)) {
      const response = await manager.client.get(jobs, { bearer });
      expect([what, ...codeOf(response)]).toEqual([what, 401, 'not_authenticated']);
      expect(response.headers.get('content-type'), what).toContain('application/problem+json');
    }
    expect(await statusWith(good.key)).toBe(200);
    const here = await create({ name: 'here', networks: ['127.0.0.0/8'] });
    expect(await statusWith(here.key)).toBe(200);
    const { text } = await manager.client.get('/metrics');
    for (const outcome of ['accepted', 'malformed', 'unknown', 'expired', 'network']) {
      expect(text).toMatch(new RegExp(`waybill_api_key_requests_total\\{[^}]*outcome="${outcome}"[^}]*\\} [1-9]`, 'u'));
    }
  });

  it('goes with its owner: a new user of the same name does not have it', async () => {
    const put = (json: object) =>
      manager.client.request('PUT', `${api}/manager-users/temporary`, { json, bearer: manager.admin });
    const user = { password: 'a-password-of-the-tests', roles: ['Users'] };
    expect((await put(user)).status).toBe(201);
    const login = await manager.client.post(`${api}/auth/login`, {
      json: { username: 'temporary', password: user.password },
    });
    const { key } = await create({ name: 'mine' }, (login.json() as { accessToken: string }).accessToken);
    expect(await statusWith(key)).toBe(200);
    await manager.client.request('DELETE', `${api}/manager-users/temporary`, { bearer: manager.admin });
    expect((await put(user)).status).toBe(201);
    await expect.poll(() => statusWith(key)).toBe(401);
  });
});
