import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hostileKeys } from './hostile-ssh-keys.ts';
import { opensshKeys } from './openssh-keys.ts';
import { readStoredSecret } from './read-stored-secret.ts';
import { codeOf, shownKey } from './shown-ssh-key.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { expectRefusedPages, walkList } from './walk-list.ts';

const api = '/platform-application/api/v1';
const keys = `${api}/connection-ssh-keys`;
const secretKeys = newKeyRingEntry();
const password = 'a-password-of-the-tests';
const passphrase = 'canary of a passphrase';
const openssh = opensshKeys();
const site = oneJobManager({ SECRET_KEYS: secretKeys });
let [gina, ivan] = ['', ''];

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
    return z.object({ accessToken: z.string() }).parse(answer.json()).accessToken;
  };
  [gina, ivan] = [await logIn('gina'), await logIn('ivan')];
});

interface Sending {
  readonly bearer?: string;
  readonly headers?: Record<string, string>;
}
const send = (method: 'POST' | 'PUT', address: string, json: object, { bearer, headers = {} }: Sending = {}) =>
  site.manager.client.request(method, `${keys}/${address}`, { json, headers, bearer: bearer ?? site.manager.admin });
const generate = (name: string, json: object = {}, { query = '', ...sending }: Sending & { query?: string } = {}) =>
  send('POST', `${name}/generate${query}`, json, sending);
const importKey = (address: string, json: object, sending?: Sending) => send('PUT', address, json, sending);
const show = (address: string, bearer = site.manager.admin) =>
  site.manager.client.get(`${keys}/${address}`, { bearer });

/** The private key as a worker reads it. */
const stored = (name: string) => readStoredSecret({ databaseUrl: site.platform.database.url, secretKeys }, name);

describe('a key that is generated', () => {
  it.each(['ed25519', 'ecdsa', 'rsa'])('is %s, and OpenSSH finds the same public key and fingerprint', async (kind) => {
    const made = await generate(kind, { kind, comment: 'waybill of the tests' });
    expect([made.status, made.text]).toEqual([201, expect.not.stringContaining('PRIVATE')]);
    const { publicKey, fingerprint, usedBy } = shownKey(made);
    expect(await openssh.describe(await stored(kind))).toEqual({ publicKey, fingerprint });
    expect(publicKey.endsWith(' waybill of the tests')).toBe(true);
    expect(usedBy).toEqual([]);
    const found = await show(kind);
    expect([found.status, found.json()]).toEqual([200, made.json()]);
    expect(found.headers.get('etag')).toBe(made.headers.get('etag'));
  });

  it('replaces another one on conditions, and is audited with both public keys', async () => {
    const first = await generate('turned', {}, { query: '?actor=globex' });
    const at = (headers: Record<string, string>) => generate('turned', {}, { query: '?actor=globex', headers });
    expect(codeOf(await at({ 'If-None-Match': '*' }))).toEqual([409, 'entity_exists']);
    expect(codeOf(await at({ 'If-Match': '"other"' }))).toEqual([412, 'precondition_failed']);
    expect(shownKey(await show('turned?actor=globex')).publicKey).toBe(shownKey(first).publicKey);
    const second = await at({ 'If-Match': String(first.headers.get('etag')) });
    expect(second.status).toBe(200);
    const remove = await site.manager.client.request('DELETE', `${api}/secrets/turned?actor=globex`, {
      bearer: site.manager.admin,
    });
    expect(remove.status).toBe(204);
    const records = await site.platform.database.query(
      `SELECT payload ->> 'dataoneUser' AS user, payload ->> 'auditCode' AS code, payload #>> '{context,difference}' AS difference
         FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityName' = 'globex/turned' ORDER BY id`,
    );
    const [before, after] = [first, second].map((made) => ({ publicKey: shownKey(made).publicKey }));
    expect(
      records.map(({ difference, ...record }) => ({
        ...record,
        difference: JSON.parse(String(difference)) as unknown,
      })),
    ).toEqual([
      { user: 'admin', code: 'AUD0001A', difference: { after: before } },
      { user: 'admin', code: 'AUD0003A', difference: { before, after } },
      { user: 'admin', code: 'AUD0005A', difference: { before: after } },
    ]);
  });
});

describe('a key that is imported', () => {
  it.each([
    ['in OpenSSH format', ['-t', 'ed25519', '-a', '2']],
    ['in PEM', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['as PKCS #8', ['-t', 'ecdsa', '-b', '384', '-m', 'PKCS8']],
  ])('%s with a passphrase is stored without it, and its public key is derived', async (_, options) => {
    const { text, publicKey } = await openssh.generate(...options, '-N', passphrase);
    const made = await importKey('imported', { privateKey: text, passphrase });
    expect(made.text).not.toMatch(/PRIVATE|canary/u);
    const { fingerprint, ...key } = shownKey(made);
    expect(key.publicKey).toBe(`${publicKey} waybill`);
    expect(await openssh.describe(await stored('imported'))).toEqual({ publicKey: key.publicKey, fingerprint });
  });

  it('leaves neither its passphrase nor its private part in the audit log', async () => {
    const { text } = await openssh.generate('-t', 'ed25519', '-N', '');
    expect((await importKey('quiet', { privateKey: text })).status).toBe(201);
    const [row] = await site.platform.database.query(
      'SELECT string_agg(payload::text, chr(10)) AS text FROM outbox.events',
    );
    const events = String(row?.['text']);
    expect(events).toContain('"quiet"');
    for (const line of [
      'canary',
      'PRIVATE',
      text.split('\n')[3] ?? '',
      ...(await stored('quiet')).split('\n').slice(3, 5),
    ])
      expect(events).not.toContain(line);
  });

  it('is what a client connection logs in with, which the list names', async () => {
    await generate('login', {}, { query: '?actor=globex' });
    await generate('login');
    const connection = {
      type: 'sftp',
      host: 'sftp',
      username: 'u',
      privateKey: 'secret://login',
      hostKeys: [`SHA256:${'A'.repeat(43)}`],
    };
    const put = (name: string, more: object) =>
      site.manager.client.request('PUT', `${api}/client-connections/${name}`, {
        json: { ...connection, ...more },
        bearer: site.manager.admin,
      });
    expect((await put('b-sftp', { actor: 'globex', keyExpires: '2099-12-31' })).status).toBe(201);
    expect((await put('a-sftp', { actor: 'globex' })).status).toBe(201);
    expect(shownKey(await show('login?actor=globex')).usedBy).toEqual([
      { connection: 'a-sftp', keyExpires: null },
      { connection: 'b-sftp', keyExpires: '2100-01-01T00:00:00.000Z' },
    ]);
    expect(shownKey(await show('login')).usedBy).toEqual([]);
  });
});

describe('roles', () => {
  it('that are limited to an actor reach its keys only, and others none', async () => {
    expect((await generate('own', {}, { query: '?actor=globex', bearer: gina })).status).toBe(201);
    expect(codeOf(await generate('own', {}, { bearer: gina }))).toEqual([403, 'not_permitted']);
    expect(codeOf(await generate('own', {}, { query: '?actor=acme', bearer: gina }))).toEqual([403, 'not_permitted']);
    expect(codeOf(await importKey('own?actor=acme', { privateKey: 'x' }, { bearer: gina }))).toEqual([
      403,
      'not_permitted',
    ]);
    await generate('others');
    expect(codeOf(await show('others', gina))).toEqual([404, 'secret_unknown']);
    expect((await show('own?actor=globex', gina)).status).toBe(200);
    expect(codeOf(await generate('own', {}, { query: '?actor=globex', bearer: ivan }))).toEqual([403, 'not_permitted']);
    expect(codeOf(await show('own?actor=globex', ivan))).toEqual([403, 'not_permitted']);
    const reached = (
      await walkList<{ actor: string | null }>(site.manager, { path: keys, bearer: gina, query: {} })
    ).flat();
    expect([...new Set(reached.map(({ actor }) => actor))]).toEqual(['globex']);
  });
});

describe('the list of keys', () => {
  it('comes page by page, and has no secret that is not such a key', async () => {
    const put = { json: { value: 'a password' }, bearer: site.manager.admin };
    await site.manager.client.request('PUT', `${api}/secrets/plain`, put);
    await generate('replaced');
    await site.manager.client.request('PUT', `${api}/secrets/replaced`, put);
    for (const name of ['page-a', 'page-b', 'page-c']) await generate(name);
    const walk = async (maxItems: string) =>
      (
        await walkList<{ name: string; actor: string | null }>(site.manager, {
          path: keys,
          bearer: site.manager.admin,
          query: { maxItems },
        })
      )
        .flat()
        .map(({ name, actor }) => `${actor ?? ''}/${name}`);
    const all = await walk('2');
    expect(all).toEqual(await walk('1000'));
    expect(all).toEqual(expect.arrayContaining(['/page-a', '/page-b', '/page-c']));
    expect(all).not.toContain('/plain');
    expect(all).not.toContain('/replaced');
    const found = await show('plain');
    expect([codeOf(found), found.text]).toEqual([
      [404, 'secret_unknown'],
      expect.stringContaining('is not an SSH key'),
    ]);
  });

  it('refuses cursors and sizes of pages that are wrong', () =>
    expectRefusedPages(site.manager, { path: keys, bearer: site.manager.admin }));
});

describe('a hostile import is refused quickly, by a field of the request, and stores nothing', () => {
  it.each(hostileKeys)('%s', async (_, privateKey, message) => {
    const start = performance.now();
    const refused = await importKey('refused', { privateKey: privateKey(), passphrase });
    expect(performance.now() - start).toBeLessThan(30_000);
    expect([codeOf(refused), refused.json()]).toEqual([
      [400, 'validation_failed'],
      expect.objectContaining({ errors: [{ field: 'privateKey', message: expect.stringContaining(message) }] }),
    ]);
    expect(refused.text).not.toContain('canary');
    expect(codeOf(await show('refused'))).toEqual([404, 'secret_unknown']);
  });

  it.each([
    ['no passphrase', {}, 'needs its passphrase: set `passphrase`'],
    ['another passphrase', { passphrase: 'canary of another' }, 'has another passphrase than `passphrase`'],
  ])('a locked key with %s', async (_, more, message) => {
    const { text: privateKey } = await openssh.generate('-t', 'ed25519', '-a', '1', '-N', passphrase);
    const refused = await importKey('refused', { privateKey, ...more });
    expect([codeOf(refused), refused.json()]).toEqual([
      [400, 'validation_failed'],
      expect.objectContaining({ errors: [{ field: 'passphrase', message: expect.stringContaining(message) }] }),
    ]);
    expect(refused.text).not.toContain('canary');
  });

  it.each([
    ['another member', 'x', { privateKey: 'x', publicKey: 'ssh-ed25519 AAAA' }],
    ['a comment of two lines', 'x', { privateKey: 'x', comment: 'two\nlines' }],
    ['a passphrase that is no text', 'x', { privateKey: 'x', passphrase: 1 }],
    ['a path as its name', '..%2Fx', { privateKey: 'x' }],
    ['an actor that is no name', 'x?actor=a%2Fb', { privateKey: 'x' }],
  ])('%s', async (_, address, json) => {
    expect(codeOf(await importKey(address, json))).toEqual([400, 'validation_failed']);
  });

  it.each([
    ['another kind', { kind: 'dsa' }],
    ['a size', { kind: 'rsa', bits: 65_536 }],
    ['a comment that is too long', { comment: 'x'.repeat(201) }],
  ])('a generation with %s', async (_, json) => {
    expect(codeOf(await generate('x', json))).toEqual([400, 'validation_failed']);
  });
});
