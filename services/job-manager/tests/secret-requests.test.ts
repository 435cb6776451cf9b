import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { urlAs } from '@waybill/test-kit/test-roles';
import { beforeAll, describe, expect, it } from 'vitest';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

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
    expect([replaced.status, replaced.text]).toEqual([200, '']);
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

  it.each([
    ['an empty value', 'a', { value: '' }],
    ['no value', 'a', {}],
    ['a value that is no text', 'a', { value: ['x'] }],
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
