import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { beforeAll, describe, expect, it } from 'vitest';
import { oneJobManager } from './test-managers.ts';
import { walkList } from './walk-list.ts';

const api = '/platform-application/api/v1';
const site = oneJobManager({ SECRET_KEYS: newKeyRingEntry() });
const value = 'canary of a secret';

interface Request {
  readonly json?: object;
  readonly headers?: Record<string, string>;
}

const ask = (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, request: Request = {}) =>
  site.manager.client.request(method, `${api}/${path}`, { bearer: site.manager.admin, ...request });

const codeOf = (response: HttpResponse): [number, unknown] => [
  response.status,
  (response.json() as { code?: string }).code,
];

const faultsOf = (response: HttpResponse): [number, ...string[]] => [
  response.status,
  ...(response.json() as { errors: { field: string }[] }).errors.map(({ field }) => field),
];

const audited = async () =>
  (
    await site.platform.database.query(
      `SELECT count(*)::int AS n FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Secret'`,
    )
  )[0]?.['n'];

async function walk(collection: string, query: Record<string, string>): Promise<string[]> {
  const { manager } = site;
  const pages = await walkList<{ name: string; actor: string | null }>(manager, {
    path: `${api}/${collection}`,
    bearer: manager.admin,
    query: { maxItems: '1', ...query },
  });
  return pages.flat().map(({ name, actor }) => `${actor ?? ''}/${name}`);
}

describe('a secret', () => {
  it('is created once, at the address that the answer has, and its value is replaced by a patch', async () => {
    const created = await ask('POST', 'secrets', { json: { name: 'hook', actor: 'acme', value } });
    expect([created.status, created.headers.get('location'), created.json()]).toEqual([
      201,
      `${api}/secrets/hook?actor=acme`,
      { name: 'hook', actor: 'acme', keyId: expect.any(String), updatedAt: expect.any(String) },
    ]);
    const etag = created.headers.get('etag') ?? '';
    expect((await ask('GET', 'secrets/hook?actor=acme')).headers.get('etag')).toBe(etag);
    expect(codeOf(await ask('POST', 'secrets', { json: { name: 'hook', actor: 'acme', value } }))).toEqual([
      409,
      'entity_exists',
    ]);
    const headers = { 'If-Match': etag };
    const patched = await ask('PATCH', 'secrets/hook?actor=acme', { json: { value: 'another' }, headers });
    expect([patched.status, patched.json()]).toEqual([200, expect.objectContaining({ name: 'hook', actor: 'acme' })]);
    expect(patched.headers.get('etag')).not.toBe(etag);
    expect(codeOf(await ask('PATCH', 'secrets/hook?actor=acme', { json: { value }, headers }))).toEqual([
      412,
      'precondition_failed',
    ]);
    expect(codeOf(await ask('PATCH', 'secrets/hook', { json: { value } }))).toEqual([404, 'secret_unknown']);
    expect((await ask('POST', 'secrets', { json: { name: 'hook', actor: null, value } })).status).toBe(201);
    const replaced = await ask('PUT', 'secrets/hook?actor=acme', { json: { name: 'hook', actor: 'acme', value } });
    expect([replaced.status, replaced.headers.get('etag')]).toEqual([200, expect.stringMatching(/^".+"$/u)]);
    for (const { text } of [created, patched, replaced]) expect(text).not.toContain('canary');
  });

  it('is named by the body as by the address, and has a value that cannot be removed', async () => {
    for (const method of ['PUT', 'PATCH'] as const) {
      for (const [field, json] of Object.entries({
        name: { name: 'other', value },
        actor: { actor: 'globex', value },
        value: { value: null },
      })) {
        expect(faultsOf(await ask(method, 'secrets/hook?actor=acme', { json }))).toEqual([400, field]);
      }
      expect(faultsOf(await ask(method, 'secrets/hook', { json: { actor: 'acme', value } }))).toEqual([400, 'actor']);
      expect(faultsOf(await ask(method, 'secrets/hook', { json: {} }))).toEqual([400, 'value']);
    }
    for (const name of ['.', '..', 'a/b', '']) {
      expect(faultsOf(await ask('POST', 'secrets', { json: { name, value } }))).toEqual([400, 'name']);
    }
  });

  it('is not changed by a dry run, which says what would change and what refers to it', async () => {
    const connection = { name: 'post', actor: 'acme', type: 'smtp', host: 'mail', from: 'a@b.org', username: 'u' };
    await ask('POST', 'client-connections', { json: { ...connection, password: 'secret://hook' } });
    const before = [await audited(), (await ask('GET', 'secrets/hook?actor=acme')).headers.get('etag')];
    const hook = { entityType: 'Secret', name: 'hook', actor: 'acme' };
    const uses = [{ entityType: 'Client Connection', name: 'post', actor: 'acme', setting: 'password', of: 'hook' }];
    const preview = (method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, json?: object) =>
      ask(method, path, json && { json });
    const at = 'secrets/hook?actor=acme&dryRun=true';
    for (const method of ['PUT', 'PATCH'] as const) {
      expect((await preview(method, at, { value })).json()).toEqual({
        changes: [{ change: 'modified', ...hook, differences: [{ setting: 'value' }] }],
        consequences: [],
        uses,
      });
    }
    expect((await preview('POST', 'secrets?dryRun=true', { name: 'new', value })).json()).toEqual({
      changes: [{ change: 'created', entityType: 'Secret', name: 'new', differences: [] }],
      consequences: [],
      uses: [],
    });
    expect(codeOf(await preview('POST', 'secrets?dryRun=true', { name: 'hook', actor: 'acme', value }))).toEqual([
      409,
      'entity_exists',
    ]);
    expect(codeOf(await preview('DELETE', at))).toEqual([409, 'entity_in_use']);
    expect((await preview('DELETE', `${at}&force=true`)).json()).toEqual({
      changes: [{ change: 'deleted', ...hook, differences: [] }],
      consequences: ['Client Connection post of the API: password refers to the secret, and fails'],
      uses,
    });
    expect(codeOf(await preview('DELETE', 'secrets/none?dryRun=true'))).toEqual([404, 'secret_unknown']);
    expect([await audited(), (await ask('GET', 'secrets/hook?actor=acme')).headers.get('etag')]).toEqual(before);
    expect((await ask('GET', 'secrets/new')).status).toBe(404);
  });
});

describe.each(['secrets', 'connection-ssh-keys'])('the list of %s', (collection) => {
  beforeAll(async () => {
    const made = await ask('POST', 'actors', { json: { name: 'globex', type: 'Partner' } });
    if (made.status !== 201 && made.status !== 409) throw new Error(made.text);
    for (const path of ['b', 'a?actor=acme', 'c?actor=acme', 'a_b', 'ab?actor=globex']) {
      const [name, query = ''] = path.split('?');
      const { status, text } = await ask('POST', `connection-ssh-keys/page.${name}/generate?${query}`, { json: {} });
      if (status !== 201 && status !== 200) throw new Error(text);
    }
  });

  it('is sorted and filtered, page by page', async () => {
    const byActor = ['/page.a_b', '/page.b', 'acme/page.a', 'acme/page.c', 'globex/page.ab'];
    const byName = ['acme/page.a', 'globex/page.ab', '/page.a_b', '/page.b', 'acme/page.c'];
    const name = 'page.*';
    expect((await walk(collection, { name })).toSorted()).toEqual(byActor.toSorted());
    const ascending = await walk(collection, { name, sort: 'actor' });
    expect(ascending).toEqual(await walk(collection, { name }));
    expect(ascending.map((each) => each.split('/')[0])).toEqual(byActor.map((each) => each.split('/')[0]));
    expect(await walk(collection, { name, sort: '-actor' })).toEqual(ascending.toReversed());
    const named = await walk(collection, { name, sort: '+name' });
    expect(named.toSorted()).toEqual(byName.toSorted());
    expect(named.at(0)).toBe('acme/page.a');
    expect(named.at(-1)).toBe('acme/page.c');
    expect(await walk(collection, { name, sort: '-name' })).toEqual(named.toReversed());
    expect(await walk(collection, { name: 'page.a_b' })).toEqual(['/page.a_b']);
    expect(await walk(collection, { name: 'page.a*', actor: 'acme' })).toEqual(['acme/page.a']);
    for (const hostile of ['%', 'page._', `' OR true --`]) {
      expect(await walk(collection, { name: hostile })).toEqual([]);
    }
    for (const query of ['sort=keyId', 'sort=', 'sort=--name', 'name=%00', `name=${'x'.repeat(129)}`]) {
      expect((await ask('GET', `${collection}?${query}`)).status).toBe(400);
    }
  });
});

describe('an SSH key of client connections', () => {
  it('is deleted like a secret, unless a connection uses it, and other secrets are not', async () => {
    expect((await ask('POST', 'connection-ssh-keys/key/generate', { json: {} })).status).toBe(201);
    expect((await ask('POST', 'secrets', { json: { name: 'no-key', value } })).status).toBe(201);
    const connection = { name: 'out', type: 'sftp', host: 'sftp.example.org', username: 'u' };
    const hostKeys = [(await ask('GET', 'connection-ssh-keys/key')).json() as { publicKey: string }].map(
      ({ publicKey }) => publicKey.split(' ').slice(0, 2).join(' '),
    );
    const json = { ...connection, hostKeys, privateKey: 'secret://key' };
    const used = await ask('POST', 'client-connections', { json });
    expect([used.status, used.text]).toEqual([201, expect.any(String)]);
    const path = 'connection-ssh-keys/key';
    expect(codeOf(await ask('DELETE', path))).toEqual([409, 'entity_in_use']);
    expect(codeOf(await ask('DELETE', `${path}?force=true`, { headers: { 'If-Match': '"other"' } }))).toEqual([
      412,
      'precondition_failed',
    ]);
    expect((await ask('DELETE', `${path}?force=true&dryRun=true`)).json()).toMatchObject({
      changes: [{ change: 'deleted', entityType: 'Secret', name: 'key' }],
    });
    expect((await ask('GET', path)).status).toBe(200);
    expect((await ask('DELETE', 'client-connections/out')).status).toBe(204);
    const etag = (await ask('GET', path)).headers.get('etag') ?? '';
    expect((await ask('DELETE', path, { headers: { 'If-Match': etag } })).status).toBe(204);
    expect(codeOf(await ask('DELETE', path))).toEqual([404, 'secret_unknown']);
    expect(codeOf(await ask('DELETE', 'connection-ssh-keys/no-key'))).toEqual([404, 'secret_unknown']);
    expect((await ask('GET', 'secrets/no-key')).status).toBe(200);
  });
});
