import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { filterShape } from '@waybill/contracts/endpoints/administration/list-filters';
import { administeredResources } from '@waybill/contracts/endpoints/administration/resource-table';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { oneJobManager } from './test-managers.ts';
import { runWaybill } from './waybill-command.ts';

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
  const to = (user: string, mountPath = '/') => ({ user, vfs: 'umbrella-files', mountPath });
  const publicKey = '-----BEGIN PGP PUBLIC KEY BLOCK-----\nxjME\n-----END PGP PUBLIC KEY BLOCK-----';
  const mail = {
    name: 'tell',
    uses: 'send-email',
    with: { connection: 'mail', to: 'a@example.org', subject: 'ended', text: 'ended' },
  };
  const seal = (recipients: unknown) => ({
    name: 'seal',
    uses: 'pgp-encrypt',
    with: { source: '/a', target: '/b', recipients },
  });
  const contract = { actor: 'umbrella', cluster: 'cluster1', server: 'sftp-server' };
  const objects: [string, object][] = [
    ['actors', { name: 'umbrella', type: 'Partner' }],
    ['actors', { name: 'hive', type: 'Application' }],
    ['users', { name: 'tom', actor: 'umbrella', groups: ['clerks', 'night'] }],
    ['users', { name: 'tim', actor: 'umbrella', groups: ['clerks'], enabled: false, authentication: 'key' }],
    ['users', { name: 'ann', actor: 'hive', groups: ['night'] }],
    ['virtual-file-systems', { name: 'umbrella-files', actor: 'umbrella' }],
    ['connection-contracts', { name: 'one', ...contract, clauses: [to('tom'), to('tim', '/files')] }],
    ['connection-contracts', { name: 'two', ...contract, enabled: false, clauses: [to('tim', '/more')] }],
    ['client-connections', { name: 'mail', type: 'smtp', host: 'mail.example.org', from: 'a@example.org' }],
    ['client-connections', { name: 'scanner', type: 'clamav', host: 'clamav.example.org', enabled: false }],
    ['workflow-templates', { name: 'notify', steps: [mail] }],
    ['workflow-templates', { name: 'clean', steps: [{ name: 'call', workflow: 'notify' }], finally: [mail] }],
    ['pgp-keys', { name: 'ours', publicKey }],
    ['pgp-keys', { name: 'theirs', publicKey }],
    ['workflow-templates', { name: 'seal', steps: [seal(['ours', 'theirs'])] }],
    ['workflow-templates', { name: 'seal-for-one', steps: [seal('ours')] }],
    ['roles', { name: 'Team', permissions: ['jobs:read'], actors: ['umbrella'] }],
    ['roles', { name: 'All', permissions: ['jobs:*'] }],
  ];
  for (const [collection, json] of objects) {
    const { status, text } = await ask('POST', collection, { json });
    if (status !== 201) throw new Error(`${collection}: ${text}`);
  }
});

it.each<[string, Record<string, string>, readonly string[]]>([
  ['users', { enabled: 'false' }, ['tim']],
  ['users', { enabled: 'true', actor: 'umbrella' }, ['tom']],
  ['users', { group: 'clerks' }, ['tim', 'tom']],
  ['users', { group: 'night', actor: 'hive' }, ['ann']],
  ['users', { group: 'clerks', authentication: 'key', enabled: 'true' }, []],
  ['users', { group: 'cl*' }, []],
  ['users', { group: '%' }, []],
  ['users', { group: `clerks"]}' OR true --` }, []],
  ['actors', { type: 'Application' }, ['hive']],
  ['connection-contracts', { user: 'tim' }, ['one', 'two']],
  ['connection-contracts', { user: 'tim', enabled: 'true', vfs: 'umbrella-files' }, ['one']],
  ['connection-contracts', { cluster: 'cluster1', server: 'http-server' }, []],
  ['client-connections', { type: 'clamav' }, ['scanner']],
  ['client-connections', { enabled: 'true', type: 'smtp' }, ['mail']],
  ['roles', { limitedTo: 'umbrella' }, ['Team']],
  ['roles', { permission: 'jobs:*' }, ['All', 'Operators']],
  ['virtual-file-systems', { storageClass: 'local', actor: 'umbrella' }, ['umbrella-files']],
  ['contracts', { trigger: 'NewFile', name: 'inv*' }, ['invoices']],
  ['contracts', { workflow: 'write-report', queue: 'Single' }, ['single']],
  ['workflow-templates', { task: 'gzip', name: 'compress*' }, ['compress-file']],
  ['workflow-templates', { connection: 'mail' }, ['clean', 'notify']],
  ['workflow-templates', { connection: 'mail', task: 'send-email' }, ['notify']],
  ['workflow-templates', { workflow: 'notify' }, ['clean']],
  ['workflow-templates', { pgpKey: 'ours' }, ['seal', 'seal-for-one']],
  ['workflow-templates', { pgpKey: 'theirs' }, ['seal']],
  ['workflow-templates', { pgpKey: `ours"}]}' OR true --` }, []],
  ['contracts', { vfs: 'acme-files', name: 'inv*' }, ['invoices']],
  ['contracts', { vfs: 'umbrella-files' }, []],
])('%s are listed with %j', async (collection, query, names) => {
  expect(await list(collection, query)).toEqual(names);
});

it('a setting that an earlier release has not stored has its default', async () => {
  await site.platform.database.query(
    `UPDATE directory.partner_users SET definition = definition - 'authentication' - 'enabled' WHERE name = 'tom'`,
  );
  expect(await list('users', { authentication: 'either', enabled: 'true', actor: 'umbrella' })).toEqual(['tom']);
  expect(await list('users', { authentication: 'key' })).toEqual(['tim']);
  expect(await list('users', { enabled: 'false' })).toEqual(['tim']);
});

it('a filter stays on the next page', async () => {
  const first = await ask('GET', 'users', { query: { group: 'clerks', maxItems: '1' } });
  const { items, next } = first.json() as { items: { name: string }[]; next: string };
  expect(items.map(({ name }) => name)).toEqual(['tim']);
  const second = await site.manager.client.get(next, { bearer: site.manager.admin });
  expect(second.json()).toMatchObject({ items: [{ name: 'tom' }] });
  expect(second.json()).not.toHaveProperty('next');
});

it.each<[string, Record<string, string>]>([
  ['users', { enabled: 'yes' }],
  ['users', { enabled: '' }],
  ['users', { authentication: 'both,key' }],
  ['users', { password: 'demo' }],
  ['users', { group: '' }],
  ['users', { group: '\0' }],
  ['users', { group: 'x'.repeat(129) }],
  ['queues', { status: 'Open' }],
  ['actors', { enabled: 'true' }],
  ['client-connections', { type: 'telnet' }],
])('%s are not listed with %j', async (collection, query) => {
  const response = await ask('GET', collection, { query });
  const { code, errors } = response.json() as { code: string; errors: { field: string }[] };
  expect([response.status, code, errors[0]?.field]).toEqual([400, 'validation_failed', Object.keys(query)[0]]);
});

it('every filter of every collection lists something or nothing, for each value that it can have', async () => {
  const filters = administeredResources.flatMap((resource) =>
    Object.entries(filterShape(resource)).map(
      ([name, schema]) => [resource.collection, name, schema.unwrap()] as const,
    ),
  );
  expect(filters.length).toBeGreaterThan(20);
  for (const [collection, name, schema] of filters) {
    const times = ['2026-01-01', '2026-01-01T00:00:00+02:00'];
    const others = schema instanceof z.ZodUnion ? times : ['some-name'];
    const values = schema instanceof z.ZodEnum ? schema.options.map(String) : others;
    for (const value of values) {
      const response = await ask('GET', collection, { query: { [name]: value } });
      expect([collection, name, value, response.status]).toEqual([collection, name, value, 200]);
      expect(response.json()).toHaveProperty('items');
    }
  }
});

it('waybill objects list filters', async () => {
  await using folder = await createTestFolder();
  const token = path.join(folder.path, 'token.txt');
  await writeFile(token, `${site.manager.admin}\n`);
  const found = (...args: readonly string[]) =>
    runWaybill('objects', 'list', ...args, '--json', '--url', site.manager.url, '--token', token);
  const { code, out } = await found('users', '--group', 'clerks', '--enabled', 'false');
  expect([code, out]).toEqual([0, expect.stringContaining('"tim"')]);
  expect(out).not.toContain('"tom"');
  expect((await found('virtual-file-systems', '--storage-class', 'local')).out).toContain('"umbrella-files"');
  expect((await found('users', '--last-login-before', '2026-01-01')).out).toContain('"tom"');
  expect((await found('groups', '--last-login-before', '2026-01-01')).code).not.toBe(0);
  expect((await found('users', '--enabled', 'perhaps')).code).not.toBe(0);
});
