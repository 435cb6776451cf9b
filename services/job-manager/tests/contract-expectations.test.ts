import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const prefix = '/platform-application/api/v1';

interface Request {
  readonly json?: unknown;
  readonly query?: Record<string, string>;
  readonly bearer?: string;
}

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  { bearer = site.manager.admin, ...request }: Request = {},
) => site.manager.client.request(method, `${prefix}/${path}`, { bearer, ...request });

const codeOf = (response: HttpResponse) => [response.status, (response.json() as { code?: string }).code];

const due = { vfs: 'umbrella-files', virtualPath: '/inbox', filePattern: '*.csv', cron: '0 9 * * *' };
const alert = { name: 'alert', workflow: 'note' };

beforeAll(async () => {
  const steps = [{ name: 'note', uses: 'write-file', with: { path: '/a', text: 'b' } }];
  const trigger = { type: 'Expectation', expectation: 'daily', on: ['missed'] };
  const contract = {
    name: 'orders',
    actor: 'umbrella',
    type: 'Input',
    expectations: [{ name: 'daily', ...due }],
    actions: [{ ...alert, trigger }],
  };
  const objects: [string, object][] = [
    ['workflow-templates', { name: 'note', steps }],
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella' }],
    ['contracts', contract],
    ['roles', { name: 'Umbrella', permissions: ['configuration:read', 'configuration:write'], actors: ['umbrella'] }],
    ['roles', { name: 'Others', permissions: ['configuration:read', 'configuration:write'], actors: ['acme'] }],
    ['manager-users', { name: 'una', password: 'a long password', roles: ['Umbrella'] }],
    ['manager-users', { name: 'otto', password: 'a long password', roles: ['Others'] }],
  ];
  for (const [collection, json] of objects) {
    const { status, text } = await ask('POST', collection, { json });
    if (status !== 201) throw new Error(text);
  }
});

const tokenOf = async (username: string): Promise<string> => {
  const json = { username, password: 'a long password' };
  const { accessToken } = (await site.manager.client.post(`${prefix}/auth/login`, { json })).json() as {
    accessToken: string;
  };
  return accessToken;
};

describe('expectations of contracts', () => {
  const query = { contract: 'orders' };

  it('have defaults, and exact errors', async () => {
    const created = await ask('POST', 'expectations', { json: { name: 'weekly', contract: 'orders', ...due } });
    expect([created.status, created.json()]).toEqual([
      201,
      expect.objectContaining({
        contract: 'orders',
        actor: 'umbrella',
        source: null,
        timeZone: 'UTC',
        graceMinutes: 0,
      }),
    ]);
    const wrong = await ask('PATCH', 'expectations/weekly', { query, json: { cron: 'now', vfs: 'nowhere' } });
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: expect.arrayContaining([
          expect.objectContaining({ field: 'cron' }),
          { field: 'vfs', message: expect.stringContaining('actor umbrella has no VFS nowhere') },
        ]),
      }),
    ]);
    expect((await ask('DELETE', 'expectations/weekly', { query })).status).toBe(204);
  });

  it('are not deleted while an action waits for them', async () => {
    const used = await ask('DELETE', 'expectations/daily', { query });
    expect([used.status, used.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'entity_in_use',
        errors: [expect.objectContaining({ field: 'actions[0].trigger.expectation' })],
      }),
    ]);
    expect(
      (await ask('PATCH', 'contracts/orders', { json: { actions: [{ ...alert, trigger: { type: 'OnDemand' } }] } }))
        .status,
    ).toBe(200);
    expect((await ask('DELETE', 'expectations/daily', { query })).status).toBe(204);
    expect((await ask('GET', 'contracts/orders')).json()).not.toHaveProperty('expectations');
    const again = { json: { contract: 'orders', ...due } };
    expect((await ask('PUT', 'expectations/daily', again)).status).toBe(201);
  });

  it('are disclosed to roles that are limited to their actor, and to no others', async () => {
    const [una, otto] = [await tokenOf('una'), await tokenOf('otto')];
    const listed = async (bearer: string) =>
      ((await ask('GET', 'expectations', { bearer })).json() as { items: { name: string }[] }).items;
    expect(await listed(una)).toMatchObject([{ name: 'daily', actor: 'umbrella' }]);
    expect(await listed(otto)).toEqual([]);
    const json = { graceMinutes: 5 };
    expect((await ask('PATCH', 'expectations/daily', { bearer: una, query, json })).status).toBe(200);
    for (const [method, more] of [
      ['GET', {}],
      ['PATCH', { json }],
      ['DELETE', {}],
    ] as const) {
      const response = await ask(method, 'expectations/daily', { bearer: otto, query, ...more });
      expect([method, ...codeOf(response)]).toEqual([method, 404, 'entity_unknown']);
    }
    const put = { bearer: otto, json: { contract: 'orders', ...due } };
    expect(codeOf(await ask('PUT', 'expectations/mine', put))).toEqual([404, 'entity_unknown']);
    expect((await ask('GET', 'servers', { bearer: una })).status).toBe(403);
    expect((await ask('GET', 'servers', { bearer: site.manager.viewer })).status).toBe(403);
  });
});
