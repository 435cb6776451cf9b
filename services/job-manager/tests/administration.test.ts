import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { afterEach, describe, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const prefix = '/platform-application/api/v1';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Request {
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly bearer?: string;
}

const ask = (method: Method, path: string, { bearer = site.manager.admin, ...request }: Request = {}) =>
  site.manager.client.request(method, `${prefix}/${path}`, { bearer, ...request });

const etagOf = ({ headers }: HttpResponse): string => headers.get('etag') ?? '';

afterEach(async () => {
  for (const table of ['connection_contracts', 'contracts', 'virtual_file_systems', 'partner_users', 'actors']) {
    await site.platform.database.query(`DELETE FROM directory.${table} WHERE source IS NULL`);
  }
  await site.platform.database.query("DELETE FROM directory.job_queues WHERE name = 'Fast'");
  for (const table of ['job_queues', 'manager_users', 'workflow_templates']) {
    await site.platform.database.query(`UPDATE directory.${table} SET source = 'default' WHERE source IS NULL`);
  }
  await site.platform.apply(testConfiguration);
});

/** A partner over the API, step by step. */
async function createUmbrella(): Promise<void> {
  const steps: [string, object][] = [
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['users', { name: 'tom', actor: 'umbrella', password: 'a long password', groups: ['clerks'] }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella', folders: ['/inbox', '/outbox/new'] }],
    [
      'connection-contracts',
      {
        name: 'sftp',
        actor: 'umbrella',
        cluster: 'cluster1',
        server: 'sftp-server',
        clauses: [{ group: 'clerks', vfs: 'umbrella-files' }],
      },
    ],
  ];
  for (const [collection, json] of steps) {
    const response = await ask('POST', collection, { json });
    expect([response.status, response.text]).toEqual([201, expect.any(String)]);
  }
}

describe('the configuration over the API', () => {
  it('creates a partner with its user, its files and its access, and shows what the API owns', async () => {
    await createUmbrella();
    const json = { name: 'a & b', actor: 'umbrella', cluster: 'cluster1', server: 'sftp-server' };
    const clauses = [{ group: 'clerks', vfs: 'umbrella-files', mountPath: '/more' }];
    const second = await ask('POST', 'connection-contracts', { json: { ...json, clauses } });
    const location = `${prefix}/connection-contracts/a%20%26%20b?actor=umbrella`;
    expect(second.headers.get('location')).toBe(location);
    expect((await site.manager.client.get(location, { bearer: site.manager.admin })).json()).toEqual(second.json());
    const user = await ask('GET', 'users/tom');
    expect(user.json()).toEqual({
      name: 'tom',
      actor: 'umbrella',
      publicKeys: [],
      authentication: 'either',
      groups: ['clerks'],
      enabled: true,
      source: null,
    });
    expect((await ask('GET', 'connection-contracts/sftp', { query: { actor: 'umbrella' } })).json()).toMatchObject({
      clauses: [{ group: 'clerks', vfs: 'umbrella-files', mountPath: '/' }],
    });
    const folders = await site.platform.database.query(
      `SELECT e.name FROM filebox.entries e JOIN directory.virtual_file_systems v ON v.id::text = e.vfs_id::text
        WHERE v.name = 'umbrella-files' AND e.name <> '' ORDER BY 1`,
    );
    expect(folders).toEqual([{ name: 'inbox' }, { name: 'new' }, { name: 'outbox' }]);
    expect((await ask('GET', 'actors', { query: { source: '' } })).json()).toEqual({
      items: [{ name: 'umbrella', description: '', type: 'Partner', source: null }],
    });
    expect((await ask('GET', 'actors/acme')).json()).toMatchObject({ name: 'acme', source: 'default' });
  });

  it('replaces, patches and deletes with versions, and audits each change with the user', async () => {
    await createUmbrella();
    const first = etagOf(await ask('GET', 'users/tom'));
    const patched = await ask('PATCH', 'users/tom', {
      json: { groups: ['clerks', 'chiefs'], maxSessions: 5 },
      headers: { 'If-Match': first },
    });
    expect([patched.status, patched.json()]).toEqual([200, expect.objectContaining({ maxSessions: 5, enabled: true })]);
    expect(etagOf(patched)).not.toBe(first);
    const late = await ask('PATCH', 'users/tom', { json: { enabled: false }, headers: { 'If-Match': first } });
    expect([late.status, late.json()]).toEqual([412, expect.objectContaining({ code: 'precondition_failed' })]);
    for (const path of ['users/tom', 'users/tom?dryRun=true']) {
      const [named, removed] = [
        await ask('PATCH', path, { json: { colour: 'red' } }),
        await ask('PATCH', path, { json: { colour: null } }),
      ];
      expect([removed.status, removed.json()]).toEqual([
        400,
        { ...(named.json() as object), requestId: expect.any(String) },
      ]);
      expect(removed.json()).toMatchObject({ errors: [{ field: 'colour' }] });
    }
    const changes = [{ object: { collection: 'users', name: 'tom' }, patch: { colour: null } }];
    const together = await ask('POST', 'configuration/changes', { json: { changes } });
    expect([together.status, together.json()]).toMatchObject([400, { errors: [{ field: 'changes[0].patch.colour' }] }]);
    const without = await ask('PATCH', 'users/tom', { json: { maxSessions: null } });
    expect(without.json()).not.toHaveProperty('maxSessions');
    const bare = await ask('PATCH', 'users/tom', { json: { password: null } });
    expect([bare.status, bare.json()]).toEqual([
      400,
      expect.objectContaining({ errors: [{ field: 'password', message: 'cannot be removed, only replaced' }] }),
    ]);

    const again = await ask('PUT', 'users/tom', { json: { actor: 'umbrella', groups: ['clerks'] } });
    expect([again.status, again.json()]).toEqual([200, expect.objectContaining({ groups: ['clerks'] })]);
    const exists = await ask('PUT', 'users/tom', {
      json: { actor: 'umbrella' },
      headers: { 'If-None-Match': '*' },
    });
    expect(exists.status).toBe(409);
    const created = await ask('PUT', 'users/ann', { json: { actor: 'umbrella' } });
    expect(created.status).toBe(201);

    expect((await ask('DELETE', 'users/ann', { headers: { 'If-Match': '"other"' } })).status).toBe(412);
    expect((await ask('DELETE', 'users/ann', { headers: { 'If-Match': etagOf(created) } })).status).toBe(204);
    expect((await ask('GET', 'users/ann')).status).toBe(404);
    const records = await site.platform.database.query(
      `SELECT payload ->> 'dataoneUser' AS user, payload ->> 'auditCode' AS code FROM outbox.events
        WHERE topic = 'audit-event' AND payload ->> 'entityName' = 'ann' ORDER BY id`,
    );
    expect(records).toEqual([
      { user: 'admin', code: 'AUD0001A' },
      { user: 'admin', code: 'AUD0005A' },
    ]);
  });

  it('says what is wrong with settings, and what a source owns', async () => {
    const wrong = await ask('POST', 'users', { json: { name: 'a b', actor: 'acme', groups: 'clerks', colour: 'red' } });
    expect([wrong.status, wrong.json()]).toEqual([
      400,
      expect.objectContaining({
        errors: expect.arrayContaining([
          expect.objectContaining({ field: 'name' }),
          expect.objectContaining({ field: 'groups' }),
          expect.objectContaining({ field: 'colour' }),
        ]),
      }),
    ]);
    const action = { name: 'a', trigger: { type: 'OnDemand' }, workflow: 'pack' };
    const settings = { name: 'x', actor: 'acme', type: 'Input', actions: [action] };
    const nowhere = await ask('POST', 'contracts', { json: settings });
    expect(nowhere.json()).toMatchObject({ code: 'validation_failed', errors: [{ field: 'actions[0].workflow' }] });
    const owned = await ask('PATCH', 'queues/Single', { json: { parallelism: 2 } });
    expect([owned.status, owned.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'entity_owned', detail: expect.stringContaining('the source default') }),
    ]);
    expect((await ask('POST', 'queues', { json: { name: 'Single' } })).json()).toMatchObject({ code: 'entity_exists' });
    await site.platform.database.query('UPDATE directory.job_queues SET source = NULL');
    expect((await ask('DELETE', 'queues/Single')).json()).toMatchObject({
      code: 'entity_in_use',
      errors: [{ message: expect.stringMatching(/^Contract .* of the source default: there is no queue Single/u) }],
    });
  });

  it('lists by name in pages, with filters', async () => {
    await createUmbrella();
    for (const name of ['b1', 'b2', 'B3', 'c_d', 'c%d']) {
      await ask('PUT', `users/${encodeURIComponent(name)}`, { json: { actor: 'umbrella' } });
    }
    const names = async (query: Record<string, string>): Promise<string[]> => {
      const found: string[] = [];
      let next: string | undefined =
        `${prefix}/users?${new URLSearchParams({ actor: 'umbrella', ...query }).toString()}`;
      while (next !== undefined) {
        const page = await site.manager.client.get(next, { bearer: site.manager.admin });
        const body = page.json() as { items: { name: string }[]; next?: string };
        expect(body.items.length).toBeLessThanOrEqual(2);
        found.push(...body.items.map(({ name }) => name));
        next = body.next;
      }
      return found;
    };
    expect(await names({ maxItems: '2' })).toEqual(['B3', 'b1', 'b2', 'c%d', 'c_d', 'tom']);
    expect(await names({ maxItems: '2', sort: '-name', name: 'b*' })).toEqual(['b2', 'b1']);
    expect(await names({ maxItems: '2', name: 'c_d' })).toEqual(['c_d']);
    expect((await ask('GET', 'users', { query: { cursor: 'W10' } })).status).toBe(400);
    expect((await ask('GET', 'users', { query: { sort: 'size' } })).status).toBe(400);
  });

  it.each(administeredResources.map(({ collection }) => [collection]))(
    'of %s is for administrators alone',
    async (collection) => {
      const { viewer } = site.manager;
      expect((await ask('GET', collection)).status).toBe(200);
      expect((await ask('GET', collection, { bearer: viewer })).status).toBe(403);
      expect((await ask('GET', `${collection}/x`, { bearer: viewer })).status).toBe(403);
      expect((await ask('POST', collection, { bearer: viewer, json: {} })).status).toBe(403);
      expect((await ask('PUT', `${collection}/x`, { bearer: viewer, json: {} })).status).toBe(403);
      expect((await ask('PATCH', `${collection}/x`, { bearer: viewer, json: {} })).status).toBe(403);
      expect((await ask('DELETE', `${collection}/x`, { bearer: viewer })).status).toBe(403);
      expect((await ask('GET', `${collection}/x`)).status).toBe(404);
      expect((await ask('DELETE', `${collection}/x`)).status).toBe(404);
      expect((await ask('POST', collection, { json: {} })).status).toBe(400);
      expect((await ask('POST', collection, { json: [] })).status).toBe(400);
    },
  );

  it('refuses names and settings that no object could have', async () => {
    for (const name of ['%00', '%FF', 'a%0Ab', 'x'.repeat(129), '%20a']) {
      expect([name, (await ask('PUT', `queues/${name}`, { json: {} })).status]).toEqual([name, 400]);
    }
    const polluting = JSON.parse('{"__proto__": {"enabled": true}, "constructor": 1}') as object;
    expect((await ask('PUT', 'queues/Fast', { json: polluting })).status).toBe(400);
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const { admin: bearer } = site.manager;
    const path = `${prefix}/queues/Fast`;
    expect((await ask('PUT', 'queues/Fast', { json: {} })).status).toBe(201);
    const nested = await site.manager.client.request('PATCH', path, { bearer, headers, body: deep });
    expect([nested.status, nested.json()]).toEqual([400, expect.objectContaining({ code: 'malformed_body' })]);
  });

  it('creates once when many create at the same time, and loses no change of many', async () => {
    await createUmbrella();
    const created = await Promise.all(
      Array.from({ length: 8 }, () => ask('POST', 'users', { json: { name: 'one', actor: 'umbrella' } })),
    );
    expect(created.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(created.filter(({ status }) => status === 409)).toHaveLength(7);
    const fields = [
      { maxSessions: 3 },
      { authentication: 'key' },
      { groups: ['clerks', 'chiefs'] },
      { enabled: false },
    ];
    await Promise.all(fields.map((json) => ask('PATCH', 'users/one', { json })));
    expect((await ask('GET', 'users/one')).json()).toMatchObject(Object.assign({}, ...fields));
  });
});
