import { sortsOf } from '@waybill/contracts/endpoints/administration/list-sorts';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { beforeAll, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';
import { walkList } from './walk-list.ts';

const site = oneJobManager();
const prefix = '/platform-application/api/v1';

const ask = (method: 'GET' | 'POST', path: string, request: { json?: unknown; query?: Record<string, string> }) =>
  site.manager.client.request(method, `${prefix}/${path}`, { bearer: site.manager.admin, ...request });

async function list(collection: string, query: Record<string, string>): Promise<readonly string[]> {
  const response = await ask('GET', collection, { query });
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return (response.json() as { items: { name: string }[] }).items.map(({ name }) => name);
}

beforeAll(async () => {
  const publicKey = '-----BEGIN PGP PUBLIC KEY BLOCK-----\nxjME\n-----END PGP PUBLIC KEY BLOCK-----';
  const to = (user: string) => ({ user, vfs: 'umbrella-files' });
  const contract = { actor: 'umbrella', cluster: 'cluster1', server: 'sftp-server' };
  const objects: [string, object][] = [
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['actors', { name: 'hive', type: 'Application' }],
    ['storage-classes', { name: 'disk', type: 'local', folder: '/mnt/disk' }],
    ['storage-classes', { name: 'spare', type: 'local', folder: '/mnt/spare' }],
    ['storage-classes', { name: 'cloud', type: 's3', bucket: 'bucket' }],
    ['queues', { name: 'night', priority: 10 }],
    ['queues', { name: 'day', priority: 9, status: 'Disabled' }],
    ['users', { name: 'tom', actor: 'umbrella' }],
    ['users', { name: 'tim', actor: 'umbrella', enabled: false, authentication: 'key' }],
    ['users', { name: 'late', actor: 'hive', expires: '2031-01-01' }],
    ['users', { name: 'early', actor: 'umbrella', expires: '2030-12-31T01:00:00+02:00' }],
    ['groups', { name: 'clerks', actor: 'umbrella' }],
    ['groups', { name: 'clerks', actor: 'hive', enabled: false }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella' }],
    ['virtual-file-systems', { name: 'hive-files', actor: 'hive', storageClass: 'local' }],
    ['connection-contracts', { name: 'one', ...contract, clauses: [to('tom')] }],
    ['connection-contracts', { name: 'two', ...contract, enabled: false, clauses: [to('tim')] }],
    ['client-connections', { name: 'mail', type: 'smtp', host: 'mail.example.org', from: 'a@example.org' }],
    [
      'client-connections',
      { name: 'post', actor: 'hive', type: 'smtp', host: 'mail.example.org', from: 'a@example.org' },
    ],
    ['client-connections', { name: 'scanner', type: 'clamav', host: 'clamav.example.org', enabled: false }],
    ['pgp-keys', { name: 'own', publicKey }],
    ['pgp-keys', { name: 'of-hive', actor: 'hive', publicKey }],
  ];
  for (const [collection, json] of objects) {
    const { status, text } = await ask('POST', collection, { json });
    if (status !== 201) throw new Error(`${collection}: ${text}`);
  }
  await site.platform.database.query(
    `INSERT INTO directory.user_logins (user_id, last_login_at)
     SELECT id, CASE name WHEN 'tom' THEN timestamptz '2026-03-01 10:00:00.5Z' ELSE timestamptz '2025-03-01 10:00Z' END
       FROM directory.partner_users WHERE name IN ('tom', 'tim', 'early')`,
  );
});

const sortable = administeredResources.flatMap((resource) =>
  sortsOf(resource).map((setting) => [resource.collection, setting] as const),
);

it.each(sortable)(
  '%s are sorted by %s, page by page, with equal values and without the setting',
  async (collection, setting) => {
    for (const sort of [setting, `+${setting}`, `-${setting}`]) {
      const bearer = site.manager.admin;
      const path = `${prefix}/${collection}`;
      const all = await walkList<Sorted>(site.manager, { path, bearer, query: { sort, maxItems: '1000' } });
      const pages = await walkList<Sorted>(site.manager, { path, bearer, query: { sort, maxItems: '1' } });
      expect(pages.flat()).toEqual(all.flat());
      expect(all.flat().length).toBeGreaterThan(0);
      const places = all.flat().map((object) => JSON.stringify([object['actor'], object['name']]));
      expect(new Set(places).size).toBe(places.length);
      const values = all.flat().map((object) => object[setting]);
      const present = values.filter((value) => value !== undefined);
      expect(present).toEqual(
        present.toSorted((one, other) => (sort.startsWith('-') ? compare(other, one) : compare(one, other))),
      );
      const firstAbsent = sort.startsWith('-') ? 0 : present.length;
      expect(values.slice(firstAbsent, firstAbsent + values.length - present.length)).toEqual(
        Array.from({ length: values.length - present.length }, () => undefined),
      );
    }
  },
);

it('numbers are compared as numbers, and settings that are absent as their defaults', async () => {
  const priorities = await list('queues', { sort: 'priority' });
  expect(priorities.slice(-3)).toEqual(['day', 'Urgent', 'night']);
  await site.platform.database.query(
    `UPDATE directory.partner_users SET definition = definition - 'authentication' WHERE name = 'tom'`,
  );
  const wanted = { sort: 'authentication', actor: 'umbrella' };
  expect(await list('users', wanted)).toEqual(['early', 'tom', 'tim']);
  const paged = { path: `${prefix}/users`, bearer: site.manager.admin, query: { ...wanted, maxItems: '1' } };
  expect((await walkList<Sorted>(site.manager, paged)).flat().map(({ name }) => name)).toEqual(['early', 'tom', 'tim']);
});

it('the last login of users is shown, filtered and sorted by, and is no setting of them', async () => {
  expect(await list('users', { sort: 'lastLoginAt', actor: 'umbrella' })).toEqual(['early', 'tim', 'tom']);
  expect(await list('users', { lastLoginBefore: '2026-01-01', actor: 'umbrella' })).toEqual(['early', 'tim']);
  for (const lastLoginBefore of ['2026-03-01T10:00:00.600Z', '2026-03-01T12:00:00.600+02:00', '9999-12-31']) {
    expect(await list('users', { lastLoginBefore, name: 'tom' })).toEqual(['tom']);
  }
  expect(await list('users', { lastLoginBefore: '2026-03-01', name: 'tom' })).toEqual([]);
  // Nobody has noted a login of this user.
  expect(await list('users', { lastLoginBefore: '0000-01-01', actor: 'hive' })).toEqual(['late']);
  for (const lastLoginBefore of ['yesterday', '2026-13-01', '']) {
    expect((await ask('GET', 'users', { query: { lastLoginBefore } })).status).toBe(400);
  }
  expect((await ask('GET', 'groups', { query: { lastLoginBefore: '2026-01-01' } })).status).toBe(400);

  const bearer = site.manager.admin;
  const request = (method: 'GET' | 'PUT' | 'PATCH', json?: unknown) =>
    site.manager.client.request(method, `${prefix}/users/tim`, { bearer, ...(json !== undefined && { json }) });
  const before = await request('GET');
  const { source: _source, ...read } = before.json() as Sorted;
  expect(read['lastLoginAt']).toBe('2025-03-01T10:00:00.000Z');
  const version = before.headers.get('etag');
  for (const [method, body] of [
    ['PUT', { ...read, lastLoginAt: '2020-01-01T00:00:00.000Z' }],
    ['PATCH', { lastLoginAt: '2020-01-01T00:00:00.000Z' }],
  ] as const) {
    const written = await request(method, body);
    expect(written.json()).toEqual(before.json());
    expect(written.headers.get('etag')).toBe(version);
  }
  await site.platform.database.query(
    `UPDATE directory.user_logins SET last_login_at = timestamptz '2026-04-01 00:00Z'`,
  );
  const after = await request('GET');
  expect(after.json()).toEqual({ ...(before.json() as Sorted), lastLoginAt: '2026-04-01T00:00:00.000Z' });
  expect(after.headers.get('etag')).toBe(version);
  const exported = await site.manager.client.request('GET', `${prefix}/configuration/export`, { bearer });
  expect([exported.status, exported.text.includes('lastLogin')]).toEqual([200, false]);
});

it('users without an end are behind those with one, and cursors of another order are refused', async () => {
  expect((await list('users', { sort: 'expires' })).slice(0, 2)).toEqual(['early', 'late']);
  expect((await list('users', { sort: '-expires' })).slice(-2)).toEqual(['late', 'early']);
  expect((await list('users', { sort: '-expires', actor: 'umbrella' })).slice(-1)).toEqual(['early']);
  const { next } = (await ask('GET', 'users', { query: { sort: 'expires', maxItems: '1' } })).json() as {
    next: string;
  };
  const cursor = new URLSearchParams(next.split('?')[1]).get('cursor') ?? '';
  for (const query of [
    { cursor },
    { cursor: encoded(['a', '1']), sort: 'expires' },
    { cursor: encoded([{}, 'a', '1']), sort: 'expires' },
  ]) {
    expect((await ask('GET', 'users', { query })).json()).toMatchObject({
      status: 400,
      detail: 'cursor: is not one of this listing: follow `next` links as they are',
    });
  }
  // A time that is none is behind all others, in the order of the list.
  for (const value of [
    'never',
    '2026-99-99T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '+275760-09-13T00:00:00Z',
    -1,
    true,
    null,
  ]) {
    for (const sort of ['lastLoginAt', '-lastLoginAt']) {
      const answer = await ask('GET', 'users', { query: { sort, cursor: encoded([value, 'a', '1']) } });
      expect([value, sort, answer.status]).toEqual([value, sort, 200]);
    }
  }
  for (const sort of ['password', 'groups', '--expires', 'definition', "expires'", 'expires,name', '']) {
    expect([sort, (await ask('GET', 'users', { query: { sort } })).status]).toEqual([sort, 400]);
  }
});

type Sorted = Readonly<Record<string, unknown>>;

function compare(one: unknown, other: unknown): number {
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : Number(one > other);
  return Number(one) - Number(other);
}

function encoded(marks: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(marks)).toString('base64url');
}
