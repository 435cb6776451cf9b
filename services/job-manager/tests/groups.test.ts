import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const prefix = '/platform-application/api/v1';

interface Request {
  readonly json?: unknown;
  readonly headers?: Record<string, string>;
  readonly query?: Record<string, string>;
}

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, request: Request = {}) =>
  site.manager.client.request(method, `${prefix}/${path}`, { bearer: site.manager.admin, ...request });

const etagOf = ({ headers }: HttpResponse): string => headers.get('etag') ?? '';

beforeAll(async () => {
  const clauses = [{ group: 'clerks', vfs: 'umbrella-files' }];
  const contract = { name: 'sftp', cluster: 'cluster1', server: 'sftp-server', clauses };
  const objects: [string, object][] = [
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['actors', { name: 'hooli', type: 'Partner' }],
    ['users', { name: 'tom', actor: 'umbrella', groups: ['clerks'] }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella' }],
    ['connection-contracts', { ...contract, actor: 'umbrella' }],
  ];
  for (const [collection, json] of objects) {
    const { status, text } = await ask('POST', collection, { json });
    if (status !== 201) throw new Error(text);
  }
});

it('groups of the same name in two actors have versions, differences, and what uses them', async () => {
  const settings = { description: 'At the desk', networks: ['127.0.0.0/8'], expires: '2999-12-31' };
  const created = await ask('POST', 'groups', { json: { name: 'clerks', actor: 'umbrella', ...settings } });
  expect([created.status, created.headers.get('location')]).toEqual([201, `${prefix}/groups/clerks?actor=umbrella`]);
  const address = created.headers.get('location') ?? '';
  const reached = await site.manager.client.get(address, { bearer: site.manager.admin });
  expect([reached.status, reached.headers.get('etag')]).toEqual([200, created.headers.get('etag')]);
  expect((await ask('POST', 'groups', { json: { name: 'clerks', actor: 'umbrella' } })).status).toBe(409);
  expect((await ask('POST', 'groups', { json: { name: 'clerks', actor: 'hooli', enabled: false } })).status).toBe(201);
  const listed = (await ask('GET', 'groups', { query: { name: 'cl*' } })).json();
  expect(listed).toMatchObject({ items: [{ actor: 'umbrella' }, { actor: 'hooli', enabled: false }] });

  const query = { actor: 'umbrella' };
  const shown = await ask('GET', 'groups/clerks', { query });
  expect(shown.json()).toEqual({
    ...settings,
    name: 'clerks',
    actor: 'umbrella',
    enabled: true,
    expires: '3000-01-01T00:00:00.000Z',
    source: null,
  });
  expect((await ask('GET', 'groups/clerks')).status).toBe(404);
  const change = { json: { networks: null, maxSessions: 2 }, headers: { 'If-Match': etagOf(shown) } };
  const trial = await ask('PATCH', 'groups/clerks', { ...change, query: { ...query, dryRun: 'true' } });
  expect(trial.json()).toMatchObject({
    changes: [{ change: 'modified', entityType: 'Group', name: 'clerks', actor: 'umbrella' }],
    uses: [
      { entityType: 'External User', name: 'tom', setting: 'groups[0]' },
      { entityType: 'Connection Contract', name: 'sftp', setting: 'clauses[0].group' },
    ],
  });
  expect((await ask('PATCH', 'groups/clerks', { ...change, query })).json()).toMatchObject({ maxSessions: 2 });
  expect((await ask('PATCH', 'groups/clerks', { ...change, query })).status).toBe(412);
  const used = await ask('DELETE', 'groups/clerks', { query });
  expect([used.status, used.json()]).toEqual([
    409,
    expect.objectContaining({
      code: 'entity_in_use',
      detail: expect.stringContaining('it is used by Connection Contract sftp, user tom.'),
    }),
  ]);
  expect((await ask('DELETE', 'groups/clerks', { query: { actor: 'hooli' } })).status).toBe(204);
  const moved = await ask('PUT', 'groups/clerks', { json: { actor: 'nowhere' } });
  expect(moved.status).toBe(409);
  const records = await site.platform.database.query(
    `SELECT payload ->> 'auditCode' AS code, payload -> 'context' ->> 'difference' AS difference FROM outbox.events
      WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Group' ORDER BY id`,
  );
  expect(records.map(({ code }) => code)).toEqual(['AUD0001A', 'AUD0001A', 'AUD0003A', 'AUD0005A']);
  expect(JSON.parse(String(records[2]?.['difference']))).toEqual({
    before: { networks: ['127.0.0.0/8'] },
    after: { maxSessions: 2 },
  });
});
