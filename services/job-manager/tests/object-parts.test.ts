import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, it } from 'vitest';
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
const codeOf = (response: HttpResponse) => [response.status, (response.json() as { code?: string }).code];

beforeAll(async () => {
  const objects: [string, object][] = [
    ['clusters', { name: 'edge', servers: [{ name: 'sftp', protocol: 'SFTP' }] }],
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['users', { name: 'tom', actor: 'umbrella' }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella' }],
  ];
  for (const [collection, json] of objects) {
    const { status, text } = await ask('POST', collection, { json });
    if (status !== 201) throw new Error(text);
  }
});

describe('servers of clusters', () => {
  const query = { cluster: 'edge' };

  it('are created, shown, replaced, patched and deleted with versions, each as a change of the cluster', async () => {
    const created = await ask('POST', 'servers', { json: { name: 'http', cluster: 'edge', protocol: 'HTTP' } });
    expect([created.status, created.headers.get('location')]).toEqual([201, `${prefix}/servers/http?cluster=edge`]);
    expect(created.json()).toEqual({ name: 'http', cluster: 'edge', protocol: 'HTTP', source: null });
    expect(codeOf(await ask('POST', 'servers', { json: { name: 'http', cluster: 'edge', protocol: 'HTTP' } }))).toEqual(
      [409, 'entity_exists'],
    );
    const first = etagOf(await ask('GET', 'servers/http', { query }));
    expect(first).toBe(etagOf(created));
    // A change of another part leaves the version.
    expect((await ask('PATCH', 'servers/sftp', { query, json: { maxSessions: 9 } })).status).toBe(200);
    const change = { query, json: { maxSessionsPerUser: 3 }, headers: { 'If-Match': first } };
    const trial = await ask('PATCH', 'servers/http', { ...change, query: { ...query, dryRun: 'true' } });
    expect(trial.json()).toMatchObject({
      changes: [
        {
          change: 'modified',
          entityType: 'Cluster',
          name: 'edge',
          differences: [{ setting: 'servers[http].maxSessionsPerUser', after: 3 }],
        },
      ],
    });
    expect((await ask('PATCH', 'servers/http', change)).json()).toMatchObject({ maxSessionsPerUser: 3 });
    expect(codeOf(await ask('PATCH', 'servers/http', change))).toEqual([412, 'precondition_failed']);
    expect((await ask('PATCH', 'servers/http', { query, json: { maxSessionsPerUser: null } })).json()).toEqual(
      created.json(),
    );
    const put = await ask('PUT', 'servers/http', { json: { cluster: 'edge', protocol: 'HTTP', maxSessions: 5 } });
    expect([put.status, put.json()]).toEqual([200, expect.objectContaining({ maxSessions: 5 })]);
    const fresh = { json: { cluster: 'edge', protocol: 'SFTP' }, headers: { 'If-None-Match': '*' } };
    expect((await ask('PUT', 'servers/new', fresh)).status).toBe(201);
    expect(codeOf(await ask('PUT', 'servers/new', fresh))).toEqual([409, 'entity_exists']);
    expect((await ask('GET', 'clusters/edge')).json()).toMatchObject({
      servers: [{ name: 'sftp', maxSessions: 9 }, { name: 'http', maxSessions: 5 }, { name: 'new' }],
    });
    for (const name of ['new', 'http']) expect((await ask('DELETE', `servers/${name}`, { query })).status).toBe(204);
    expect(codeOf(await ask('DELETE', 'servers/http', { query }))).toEqual([404, 'entity_unknown']);
    const [record] = await site.platform.database.query(
      `SELECT payload -> 'context' ->> 'difference' AS difference, payload ->> 'dataoneUser' AS user FROM outbox.events
        WHERE topic = 'audit-event' AND payload ->> 'entityName' = 'edge' AND payload ->> 'auditCode' = 'AUD0003A'
        ORDER BY id OFFSET 1 LIMIT 1`,
    );
    expect(record).toEqual({
      user: 'admin',
      difference: JSON.stringify({ before: {}, after: { 'servers[sftp].maxSessions': 9 } }),
    });
  });

  it('are not deleted while a contract uses them, nor the last one, and belong to the owner of the cluster', async () => {
    const clauses = [{ user: 'tom', vfs: 'umbrella-files' }];
    const contract = { name: 'sftp', actor: 'umbrella', cluster: 'edge', server: 'second', clauses };
    await ask('POST', 'servers', { json: { name: 'second', cluster: 'edge', protocol: 'SFTP' } });
    expect((await ask('POST', 'connection-contracts', { json: contract })).status).toBe(201);
    const used = await ask('DELETE', 'servers/second', { query });
    expect([used.status, used.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'entity_in_use',
        detail: expect.stringContaining('Connection Contract sftp of the API: cluster edge has no server second'),
      }),
    ]);
    expect((await ask('DELETE', 'connection-contracts/sftp', { query: { actor: 'umbrella' } })).status).toBe(204);
    expect((await ask('DELETE', 'servers/second', { query })).status).toBe(204);
    expect(codeOf(await ask('DELETE', 'servers/sftp', { query }))).toEqual([409, 'entity_in_use']);
    const owned = await ask('PATCH', 'servers/sftp-server', {
      query: { cluster: 'cluster1' },
      json: { maxSessions: 1 },
    });
    expect(codeOf(owned)).toEqual([409, 'entity_owned']);
  });

  it('are listed in pages over all clusters, with filters', async () => {
    for (const name of ['b1', 'B2', 'b3']) {
      await ask('PUT', `servers/${name}`, { json: { cluster: 'edge', protocol: 'SFTP' } });
    }
    const names = async (filters: Record<string, string>): Promise<string[]> => {
      const { items, next } = (await ask('GET', 'servers', { query: filters })).json() as {
        items: { name: string; cluster: string }[];
        next?: string;
      };
      const after = new URLSearchParams(next?.split('?')[1]);
      const more = next === undefined ? [] : await names(Object.fromEntries(after));
      return [...items.map(({ cluster, name }) => `${cluster}/${name}`), ...more];
    };
    expect(await names({ cluster: 'edge', maxItems: '2' })).toEqual(['edge/B2', 'edge/b1', 'edge/b3', 'edge/sftp']);
    expect(await names({ name: 'b*', sort: '-name', maxItems: '1' })).toEqual(['edge/b3', 'edge/b1']);
    expect(await names({ protocol: 'SFTP', cluster: 'edge', maxItems: '1' })).toHaveLength(4);
    expect(await names({ protocol: 'HTTP' })).toEqual([]);
    for (const protocol of ['FTP', '', '*']) {
      expect((await ask('GET', 'servers', { query: { protocol } })).status).toBe(400);
    }
    expect(await names({ source: '' })).toEqual(['edge/B2', 'edge/b1', 'edge/b3', 'edge/sftp']);
    expect((await names({})).length).toBeGreaterThan(4);
    expect((await ask('GET', 'servers', { query: { cursor: 'W10' } })).status).toBe(400);
    expect((await ask('GET', 'servers', { query: { contract: 'orders' } })).status).toBe(400);
  });

  it('refuse what they cannot be, naming the fields of the server', async () => {
    const wrong = await ask('POST', 'servers', { json: { name: 'a b', cluster: 'edge', protocol: 'FTP', colour: 1 } });
    const { errors } = wrong.json() as { errors: { field: string }[] };
    expect([wrong.status, errors.map(({ field }) => field).toSorted()]).toEqual([400, ['colour', 'name', 'protocol']]);
    const patched = await ask('PATCH', 'servers/sftp', { query, json: { maxSessions: 0, protocol: null } });
    expect([
      patched.status,
      (patched.json() as { errors: { field: string }[] }).errors.map(({ field }) => field),
    ]).toEqual([400, expect.arrayContaining(['maxSessions', 'protocol'])]);
    expect((await ask('PATCH', 'servers/sftp', { query, json: { name: 'other' } })).status).toBe(400);
    expect((await ask('PATCH', 'servers/sftp', { query, json: { cluster: 'cluster1' } })).status).toBe(400);
    expect((await ask('GET', 'servers/sftp')).status).toBe(400);
    expect(codeOf(await ask('GET', 'servers/sftp', { query: { cluster: 'nowhere' } }))).toEqual([
      404,
      'entity_unknown',
    ]);
    const polluting = JSON.parse('{"__proto__": {"protocol": "HTTP"}, "constructor": 1}') as object;
    expect((await ask('PATCH', 'servers/sftp', { query, json: polluting })).status).toBe(400);
    for (const name of ['%00', '%FF', 'a%0Ab', '__proto__/x']) {
      expect((await ask('GET', `servers/${name}`, { query })).status).toBeGreaterThanOrEqual(400);
    }
    expect(codeOf(await ask('GET', 'servers/__proto__', { query }))).toEqual([404, 'entity_unknown']);
  });

  it('lose no change of many at the same time', async () => {
    const fields = [{ maxSessions: 7 }, { maxSessionsPerUser: 2 }];
    const created = Array.from({ length: 4 }, () =>
      ask('POST', 'servers', { json: { name: 'one', cluster: 'edge', protocol: 'SFTP' } }),
    );
    const statuses = (await Promise.all(created)).map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 409, 409, 409]);
    await Promise.all(fields.map((json) => ask('PATCH', 'servers/one', { query, json })));
    expect((await ask('GET', 'servers/one', { query })).json()).toMatchObject({
      maxSessions: 7,
      maxSessionsPerUser: 2,
    });
  });
});
