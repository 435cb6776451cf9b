import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { urlAs } from '@waybill/test-kit/test-roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { expectRefusedPages, walkList } from './walk-list.ts';

const api = '/platform-application/api/v1';
const secretKeys = newKeyRingEntry();
const password = 'a-password-of-the-tests';
const site = oneJobManager({ SECRET_KEYS: secretKeys });
let gina: string;
let ivan: string;

beforeAll(async () => {
  await site.platform.apply({
    ...testConfiguration,
    roles: [{ name: 'Team of globex', permissions: ['configuration:*'], actors: ['globex'] }],
    managerUsers: [
      ...testConfiguration.managerUsers,
      { name: 'gina', password, roles: ['Team of globex'] },
      { name: 'ivan', password, roles: ['Auditors'] },
    ],
    actors: [...testConfiguration.actors, { name: 'globex', type: 'Partner' }],
  });
  const logIn = async (username: string): Promise<string> => {
    const answer = await site.manager.client.post(`${api}/auth/login`, { json: { username, password } });
    return (answer.json() as { accessToken: string }).accessToken;
  };
  [gina, ivan] = [await logIn('gina'), await logIn('ivan')];
});

const codeOf = (response: HttpResponse): [number, unknown] => [
  response.status,
  (response.json() as { code?: string }).code,
];
const put = (path: string, json: object, bearer: string) =>
  site.manager.client.request('PUT', `${api}/${path}`, { json, bearer });

describe('secrets over the API', () => {
  const value = 'canary of a secret "1"';
  const at = (query = '') => site.manager.client.get(`${api}/secrets${query}`, { bearer: site.manager.admin });
  const remove = (path: string, bearer: string) =>
    site.manager.client.request('DELETE', `${api}/secrets/${path}`, { bearer });

  it('are stored encrypted, replaced, listed and deleted, audited, and never shown', async () => {
    expect((await put('secrets/hook?actor=globex', { value: 'before' }, site.manager.admin)).status).toBe(201);
    const replaced = await put('secrets/hook?actor=globex', { value }, site.manager.admin);
    expect([replaced.status, replaced.json()]).toEqual([
      200,
      { name: 'hook', actor: 'globex', keyId: expect.any(String), updatedAt: expect.any(String) },
    ]);
    expect((await put('secrets/mail', { value }, site.manager.admin)).status).toBe(201);
    const listed = await at();
    expect(listed.text).not.toContain('canary');
    expect(listed.json()).toMatchObject({
      items: [
        { name: 'mail', actor: null },
        { name: 'hook', actor: 'globex' },
      ],
    });
    expect((await at('?actor=globex')).json()).toMatchObject({ items: [{ name: 'hook' }] });

    const db = connectPostgres({ url: urlAs('job_manager', site.platform.database.url), applicationName: 'test' });
    const reader = createSecretReader(db, openKeyRingSource({ SECRET_KEYS: secretKeys }, { maxAgeMs: 0 }));
    expect((await reader.read({ owner: 'globex', name: 'hook' })).reveal()).toBe(value);
    await db.destroy();

    expect((await remove('mail', site.manager.admin)).status).toBe(204);
    expect(codeOf(await remove('mail', site.manager.admin))).toEqual([404, 'secret_unknown']);
    const records = await site.platform.database.query(
      `SELECT payload ->> 'auditCode' AS code, payload ->> 'entityName' AS name, payload::text AS text
         FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Secret' ORDER BY id`,
    );
    expect(records.map(({ code, name }) => [code, name])).toEqual([
      ['AUD0001A', 'globex/hook'],
      ['AUD0003A', 'globex/hook'],
      ['AUD0001A', 'mail'],
      ['AUD0005A', 'mail'],
    ]);
    expect(JSON.stringify(records)).not.toContain('canary');
  });

  it('of an actor are all that a role which is limited to it reaches', async () => {
    expect((await put('secrets/own?actor=globex', { value }, gina)).status).toBe(201);
    const listed = await site.manager.client.get(`${api}/secrets`, { bearer: gina });
    expect((listed.json() as { items: { actor: string }[] }).items.map(({ actor }) => actor)).toEqual([
      'globex',
      'globex',
    ]);
    for (const path of ['secrets/own', 'secrets/own?actor=acme'])
      expect(codeOf(await put(path, { value }, gina))).toEqual([403, 'not_permitted']);
    expect((await put('secrets/mail', { value }, site.manager.admin)).status).toBe(201);
    expect(codeOf(await remove('mail', gina))).toEqual([404, 'secret_unknown']);
    expect(codeOf(await put('secrets/own?actor=globex', { value }, ivan))).toEqual([403, 'not_permitted']);
    expect((await remove('own?actor=globex', gina)).status).toBe(204);
  });

  it('that are in use are deleted by force only, and are written and deleted on conditions', async () => {
    const { admin, client } = site.manager;
    const show = (path: string, bearer = admin) => client.get(`${api}/secrets/${path}`, { bearer });
    expect((await put('secrets/used?actor=globex', { value }, admin)).status).toBe(201);
    const connection = { type: 'smtp', host: 'mail', from: 'a@b.org', username: 'u', password: 'secret://used' };
    expect((await put('client-connections/post', { ...connection, actor: 'globex' }, admin)).status).toBe(201);
    const refused = await remove('used?actor=globex', admin);
    expect([refused.status, refused.json()]).toEqual([
      409,
      expect.objectContaining({
        code: 'entity_in_use',
        errors: [
          expect.objectContaining({ message: 'Client Connection post of the API: password refers to the secret' }),
        ],
      }),
    ]);
    // It is a secret of another owner that is not used.
    expect((await put('secrets/used', { value }, admin)).status).toBe(201);
    expect((await remove('used', admin)).status).toBe(204);

    const found = await show('used?actor=globex', gina);
    expect(found.text).not.toContain('canary');
    expect([found.status, found.json()]).toEqual([
      200,
      { name: 'used', actor: 'globex', keyId: expect.any(String), updatedAt: expect.any(String) },
    ]);
    expect(codeOf(await show('used', gina))).toEqual([404, 'secret_unknown']);
    expect(codeOf(await show('nothing'))).toEqual([404, 'secret_unknown']);
    const stale = { 'If-Match': '"other"' };
    const current = { 'If-Match': String(found.headers.get('etag')) };
    const write = (method: 'PUT' | 'DELETE', query: string, headers: Record<string, string>) =>
      client.request(method, `${api}/secrets/used?actor=globex${query}`, {
        bearer: admin,
        headers,
        ...(method === 'PUT' && { json: { value: 'another' } }),
      });
    expect(codeOf(await write('PUT', '', stale))).toEqual([412, 'precondition_failed']);
    expect(codeOf(await write('PUT', '', { 'If-None-Match': '*' }))).toEqual([409, 'entity_exists']);
    expect((await write('PUT', '', current)).status).toBe(200);
    expect(codeOf(await write('DELETE', '&force=true', current))).toEqual([412, 'precondition_failed']);
    expect(codeOf(await write('DELETE', '&force=perhaps', {}))).toEqual([400, 'validation_failed']);
    expect((await write('DELETE', '&force=true', {})).status).toBe(204);
  });

  it.each([
    ['an empty value', 'a', { value: '' }],
    ['no value', 'a', {}],
    ['a value that is no text', 'a', { value: ['x'] }],
    ['a half of a character, which UTF-8 cannot have', 'a', { value: 'x\uD800' }],
    ['more than 64 KiB', 'a', { value: 'ä'.repeat(40_000) }],
    ['another member', 'a', { value: 'x', keyId: 'y' }],
    ['a path as its name', '..%2F..%2Fetc', { value: 'x' }],
    ['a name that is too long', 'a'.repeat(129), { value: 'x' }],
    ['an actor that is no name', `a?actor=${encodeURIComponent('a/b')}`, { value: 'x' }],
    ['another parameter', 'a?owner=acme', { value: 'x' }],
  ])('cannot have %s', async (_, path, json) => {
    expect(codeOf(await put(`secrets/${path}`, json, site.manager.admin))).toEqual([400, 'validation_failed']);
  });
});

describe('the list of secrets', () => {
  const path = `${api}/secrets`;
  const walk = async (bearer: string, query: Record<string, string>) =>
    (await walkList<{ name: string; actor: string | null }>(site.manager, { path, bearer, query })).map((page) =>
      page.map(({ name, actor }) => `${actor ?? ''}/${name}`),
    );

  it('comes page by page, by actor and name, as far as the administrator reaches', async () => {
    const own = ['globex/page-a', 'globex/page-b', 'globex/page-c'];
    for (const secret of [...own, 'acme/page-a', '/page-a', '/page-b']) {
      const [actor = '', name = ''] = secret.split('/');
      const address = `secrets/${name}${actor === '' ? '' : `?actor=${actor}`}`;
      expect((await put(address, { value: 'x' }, site.manager.admin)).status).toBe(201);
    }
    const all = (await walk(site.manager.admin, { maxItems: '2' })).flat();
    expect(all).toEqual((await walk(site.manager.admin, { maxItems: '1000' })).flat());
    const pages = all.filter((secret) => secret.includes('page-'));
    expect(pages).toEqual(['/page-a', '/page-b', 'acme/page-a', ...own]);
    expect(all.toSorted()).toEqual([...new Set(all)].toSorted());
    const reached = (await walk(gina, { maxItems: '1' })).flat();
    expect(reached).toEqual(all.filter((secret) => secret.startsWith('globex/')));
    expect((await walk(gina, { actor: 'acme' })).flat()).toEqual([]);
    expect((await walk(site.manager.admin, { actor: 'acme', maxItems: '1' })).flat()).toEqual(['acme/page-a']);
    // A cursor of another administrator reaches no further.
    const cursor = Buffer.from('["",""]').toString('base64url');
    expect((await walk(gina, { cursor })).flat()).toEqual(reached);
  });

  it('refuses cursors and sizes of pages that are wrong', () =>
    expectRefusedPages(site.manager, { path, bearer: site.manager.admin }));
});
