import { administeredParts } from '@waybill/contracts/endpoints/administration/part-table';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const prefix = '/platform-application/api/v1';

interface Request {
  readonly json?: unknown;
  readonly query?: Record<string, string>;
}

const at = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', address: string, request: Request = {}) =>
  site.manager.client.request(method, address, { bearer: site.manager.admin, ...request });
const post = (path: string, json: unknown) => at('POST', `${prefix}/${path}`, { json });

const faultsOf = (response: HttpResponse): [number, ...string[]] => [
  response.status,
  ...(response.json() as { errors: { field: string }[] }).errors.map(({ field }) => field),
];

const gzip = { name: 'zip', uses: 'gzip', with: { source: '${{ file.path }}', target: '${{ file.path }}.gz' } };

const armoredKey = '-----BEGIN PGP PUBLIC KEY BLOCK-----\nxjME\n-----END PGP PUBLIC KEY BLOCK-----';

/** An object of each kind, and a part of each kind, in an order in which they can be created. */
const objects: Record<string, Record<string, unknown>> = {
  clusters: { name: 'edge', servers: [{ name: 'sftp', protocol: 'SFTP', maxSessions: 9 }] },
  'account-policies': { name: 'strict', passwords: { history: 3, expiresAfterDays: 30 }, sshKeys: { allowed: true } },
  'storage-classes': { name: 'cold', type: 's3', bucket: 'cold-files', pathStyle: true },
  roles: { name: 'Team', permissions: ['jobs:read'], actors: ['acme'] },
  'manager-users': { name: 'mia', password: 'a long password', roles: ['Users'] },
  queues: {
    name: 'Night',
    status: 'Scheduled',
    slots: [{ days: ['Monday'], from: '20:00', to: '06:00', timeZone: 'Europe/Berlin' }],
  },
  'workflow-templates': { name: 'zip', steps: [gzip], finally: [{ ...gzip, name: 'again', if: 'true' }] },
  actors: { name: 'umbrella', type: 'Partner', accountPolicy: 'strict' },
  users: {
    name: 'tom',
    actor: 'umbrella',
    password: 'a long password',
    groups: ['clerks'],
    networks: ['192.0.2.0/24'],
    expires: '2099-12-31',
  },
  groups: { name: 'clerks', actor: 'umbrella', maxSessions: 4, expires: '2099-12-31' },
  'virtual-file-systems': {
    name: 'umbrella-files',
    actor: 'umbrella',
    folders: ['/inbox'],
    limits: { files: 10 },
    acl: [{ path: '/inbox', grants: [{ user: 'tom', permissions: ['list', 'upload'] }] }],
    retention: { hoursAfterPut: 24 },
  },
  'connection-contracts': {
    name: 'over / sftp',
    actor: 'umbrella',
    cluster: 'edge',
    server: 'sftp',
    clauses: [{ user: 'tom', vfs: 'umbrella-files' }],
  },
  'client-connections': { name: 'mail', type: 'smtp', host: 'mail.example.org', from: 'a@example.org' },
  'pgp-keys': { name: 'own', actor: 'umbrella', publicKey: armoredKey },
  contracts: {
    name: 'orders',
    actor: 'umbrella',
    type: 'Input',
    actions: [
      {
        name: 'zip',
        trigger: { type: 'NewFile', vfs: 'umbrella-files', virtualPath: '/inbox', filePattern: '*.csv' },
        workflow: 'zip',
        variables: { a: 'b' },
      },
    ],
  },
  'access-tests': { name: 'tom-uploads', expect: 'tom may upload /inbox/**' },
  servers: { name: 'http', cluster: 'edge', protocol: 'HTTP', maxSessions: 5 },
  expectations: {
    name: 'daily / order',
    contract: 'orders',
    vfs: 'umbrella-files',
    virtualPath: '/inbox',
    cron: '0 6 * * *',
    count: { min: 2 },
  },
};

const kinds = [...administeredResources, ...administeredParts].map(({ collection }) => collection);
const addresses = new Map<string, string>();

beforeAll(async () => {
  for (const [collection, json] of Object.entries(objects)) {
    const { status, text, headers } = await post(collection, json);
    if (status !== 201) throw new Error(`${collection}: ${text}`);
    addresses.set(collection, headers.get('location') ?? '');
  }
  await site.platform.database.query(
    `INSERT INTO directory.user_logins (user_id, last_login_at)
     SELECT id, timestamptz '2026-03-01 10:00Z' FROM directory.partner_users WHERE name = 'tom'`,
  );
});

const countAudited = async () =>
  (await site.platform.database.query(`SELECT count(*)::int AS n FROM outbox.events WHERE topic = 'audit-event'`))[0];

const shown = async (collection: string) => {
  const address = addresses.get(collection) ?? '';
  const response = await at('GET', address);
  expect([response.status, response.text]).toEqual([200, expect.any(String)]);
  return { address, etag: response.headers.get('etag'), body: response.json() as Record<string, unknown> };
};

it('has an object of each kind', () => {
  expect(Object.keys(objects).toSorted()).toEqual(kinds.toSorted());
});

describe.each(kinds)('an object of %s', (collection) => {
  it('is replaced and patched by what a request for it answers, and nothing changes', async () => {
    const { address, etag, body } = await shown(collection);
    const before = await countAudited();
    const requests = [
      at('PUT', address, { json: body }),
      at('PUT', address.split('?')[0] ?? '', { json: body }),
      at('PATCH', address, { json: body }),
      at('PATCH', address, { json: { source: null } }),
    ];
    for (const request of requests) {
      const again = await request;
      expect([again.status, again.headers.get('etag'), again.json()]).toEqual([200, etag, body]);
    }
    expect(await countAudited()).toEqual(before);
  });

  it('is not given to another owner, and the answer names what does that', async () => {
    const { address, body } = await shown(collection);
    for (const source of ['default', 'built-in', '', 7, {}]) {
      for (const method of ['PUT', 'PATCH'] as const) {
        const refused = await at(method, address, { json: method === 'PUT' ? { ...body, source } : { source } });
        expect(faultsOf(refused)).toEqual([400, 'source']);
      }
    }
    const refused = await at('PATCH', address, { json: { source: 'default' } });
    expect(refused.text).toMatch(/adopt and configuration\/release|of the (?:cluster|contract)/u);
    const created = await post(collection, { ...body, name: 'another', source: 'default' });
    expect(faultsOf(created)).toEqual([400, 'source']);
    expect((await shown(collection)).body).toEqual(body);
  });

  it('is replaced at its address only by what names the same', async () => {
    const { address, body } = await shown(collection);
    expect(faultsOf(await at('PUT', address, { json: { ...body, name: 'another' } }))).toEqual([400, 'name']);
    const [path = '', query = 'actor=acme'] = address.split('?');
    const [member = ''] = query.split('=');
    const other = await at('PUT', path, { json: body, query: { [member]: 'another' } });
    expect(faultsOf(other)).toEqual([400, member]);
    const twice = await at('PUT', `${path}?${member}=a&${member}=b`, { json: body });
    expect(faultsOf(twice)).toEqual([400, member]);
  });

  it.each(['.', '..'])('does not get the name %s, which no address can end with', async (name) => {
    const { body } = await shown(collection);
    const response = await post(collection, { ...body, name });
    expect([response.status, response.json()]).toEqual([
      400,
      expect.objectContaining({
        code: 'validation_failed',
        errors: [{ field: 'name', message: 'cannot stand in an address' }],
      }),
    ]);
  });
});
