import { generateKeyPairSync } from 'node:crypto';
import { createHttpClient, type HttpClient } from '@waybill/test-kit/create-http-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { onePeer } from './test-peers.ts';

const site = onePeer({ users: ['acme', 'globex', 'initech'] });
const path = '/2.0/account/ssh-keys';

const part = (content: string | Buffer): Buffer => {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(content));
  return Buffer.concat([length, Buffer.from(content)]);
};
const lineOf = (type: string, ...parts: (string | Buffer)[]) =>
  `${type} ${Buffer.concat([type, ...parts].map(part)).toString('base64')}`;
const newKey = () =>
  lineOf('ssh-ed25519', generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
const rsaKey = (bits: number) =>
  lineOf('ssh-rsa', Buffer.of(1, 0, 1), Buffer.concat([Buffer.alloc(1), Buffer.alloc(bits / 8, 0xff)]));

const keySchema = z.object({
  id: z.string(),
  key: z.string(),
  origin: z.string(),
  comment: z.string().optional(),
  expires: z.string().optional(),
});
const list = async (client: HttpClient) =>
  z
    .object({ keys: z.array(keySchema), rules: z.object({ allowed: z.boolean() }) })
    .parse((await client.get(path)).json());
const add = (client: HttpClient, json: unknown) => client.post(path, { json });
const setRules = async (rules: object) => {
  await site.rig.database.query("DELETE FROM directory.account_policies WHERE name = 'default'");
  await site.rig.database.query(
    `INSERT INTO directory.account_policies (name, definition)
     VALUES ('default', jsonb_build_object('name', 'default', 'sshKeys', '${JSON.stringify(rules)}'::jsonb))`,
  );
};
const audited = async (code: string) =>
  (await site.rig.audited()).filter(({ auditCode }) => auditCode === code).map(({ auditMessage }) => auditMessage);

beforeEach(() => setRules({ allowed: true }));
afterEach(() => site.rig.database.query('DELETE FROM directory.own_keys'));

describe('an SSH key of a user', () => {
  test('is added, listed and deleted by the user, also by one without a Connection Contract, and each is audited', async () => {
    const key = newKey();
    const answer = await add(site.initech, { key: `${key} my laptop` });
    expect([answer.status, answer.json()]).toEqual([
      201,
      expect.objectContaining({
        key,
        comment: 'my laptop',
        origin: 'own',
        fingerprint: expect.stringMatching(/^SHA256:/u),
      }),
    ]);
    const [{ id } = { id: '' }] = (await list(site.initech)).keys;
    expect((await list(site.acme)).keys).toEqual([]);
    expect((await site.acme.delete(`${path}/${id}`)).status).toBe(404);
    expect((await site.initech.delete(`${path}/${id}`)).json()).toMatchObject({ result: 'ok' });
    expect((await site.initech.delete(`${path}/${id}`)).json()).toMatchObject({ code: 'ssh_key_unknown' });
    expect((await list(site.initech)).keys).toEqual([]);
    expect([await audited('AUD0054A'), await audited('AUD0055A')]).toEqual([
      [expect.stringMatching(/^User initech has added the SSH key SHA256:\S{43} to the own account$/u)],
      [expect.stringMatching(/^User initech has deleted the SSH key SHA256:\S{43} of the own account$/u)],
    ]);
  });

  test('of the configuration is shown and stays', async () => {
    const key = newKey();
    await site.rig.database.query(
      `UPDATE directory.partner_users SET definition = jsonb_set(definition, '{publicKeys}', '[{"key":"${key}","comment":"office"}]')
        WHERE name = 'globex'`,
    );
    const [shown] = (await list(site.globex)).keys;
    expect(shown).toMatchObject({ key, origin: 'configuration', comment: 'office' });
    expect((await add(site.globex, { key })).json()).toMatchObject({
      errorType: 'io',
      detail: 'You have this key already',
    });
    const refused = await site.globex.delete(`${path}/${shown?.id}`);
    expect([refused.status, refused.json()]).toEqual([403, expect.objectContaining({ code: 'ssh_key_fixed' })]);
    expect((await list(site.globex)).keys).toHaveLength(1);
    expect(await audited('AUD0056A')).toContain(
      'User globex was refused a change of SSH keys: The SSH key belongs to the configuration',
    );
  });

  test('cannot be added unless the policy allows it, nor by a user who may not log in with keys', async () => {
    await setRules({});
    expect(await list(site.acme)).toMatchObject({ keys: [], rules: { allowed: false } });
    const forbidden = await add(site.acme, { key: newKey() });
    expect([forbidden.status, forbidden.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'ssh_keys_not_allowed' }),
    ]);
    await setRules({ allowed: true });
    const authentication = (value: string) =>
      site.rig.database.query(
        `UPDATE directory.partner_users SET definition = definition || '{"authentication":"${value}"}' WHERE name = 'acme'`,
      );
    await authentication('password');
    expect((await add(site.acme, { key: newKey() })).json()).toMatchObject({
      code: 'ssh_keys_not_allowed',
      detail: 'Your account logs in with a password only',
    });
    await authentication('either');
  });

  test('is one of a limited number, also if many are added at once', async () => {
    await setRules({ allowed: true, maximum: 3 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => add(site.acme, { key: newKey() })));
    expect(answers.map(({ status }) => String(status)).toSorted()).toEqual([
      '201',
      '201',
      '201',
      '400',
      '400',
      '400',
      '400',
      '400',
    ]);
    const key = newKey();
    await site.rig.database.query('DELETE FROM directory.own_keys');
    const twins = await Promise.all(Array.from({ length: 4 }, () => add(site.acme, { key })));
    expect(twins.map(({ status }) => String(status)).toSorted()).toEqual(['201', '409', '409', '409']);
  });

  test('ends as the policy says, and not later than the user asks', async () => {
    await setRules({ allowed: true, expiresAfterDays: 30 });
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString();
    await add(site.acme, { key: newKey() });
    await add(site.acme, { key: newKey(), expires: days(5) });
    expect((await add(site.acme, { key: newKey(), expires: days(31) })).json()).toMatchObject({
      code: 'ssh_key_refused',
      detail: 'Keys must expire within 30 days',
    });
    expect((await add(site.acme, { key: newKey(), expires: '2020-01-01' })).status).toBe(400);
    const ends = (await list(site.acme)).keys.map(({ expires = '' }) =>
      Math.round((Date.parse(expires) - Date.now()) / 86_400_000),
    );
    expect(new Set(ends)).toEqual(new Set([30, 5]));
  });
});

describe('a key is refused', () => {
  const refused = async (rules: object, json: object) => {
    await setRules({ allowed: true, ...rules });
    const answer = await add(site.acme, json);
    expect((await list(site.acme)).keys).toEqual([]);
    return [answer.status, (answer.json() as { detail?: string }).detail];
  };

  test.each<[string, object, () => string, string]>([
    [
      'of another type',
      { types: ['ssh-ed25519'] },
      () => rsaKey(4_096),
      'Keys of the type ssh-rsa are not allowed: use ssh-ed25519',
    ],
    ['that is too short', {}, () => rsaKey(2_048), 'The key has 2048 bits: 3072 are needed'],
    ['that is damaged', {}, () => newKey().slice(0, -8), 'This Ed25519 key is damaged: copy the whole line again'],
    [
      'with options',
      {},
      () => `command="sh" ${newKey()}`,
      'This is not a public key, such as `ssh-ed25519 AAAA...`, without options',
    ],
    [
      'that is private',
      {},
      () => '-----BEGIN OPENSSH PRIVATE KEY-----',
      'This is not a public key, such as `ssh-ed25519 AAAA...`, without options',
    ],
    [
      'of two lines',
      {},
      () => `${newKey()}\n${newKey()}`,
      'This is not a public key, such as `ssh-ed25519 AAAA...`, without options',
    ],
  ])('%s', async (_what, rules, key, detail) => {
    expect(await refused(rules, { key: key() })).toEqual([400, detail]);
  });

  test.each([
    ['an empty key', { key: '' }],
    ['a huge key', { key: `ssh-ed25519 ${'A'.repeat(20_000)}` }],
    ['a number', { key: 7 }],
    ['no key', {}],
    ['a list', []],
    ['an unknown field', { key: 'ssh-ed25519 AAAA', options: 'no-pty' }],
    ['a huge comment', { key: 'ssh-ed25519 AAAA', comment: 'x'.repeat(257) }],
    ['a comment of control characters', { key: 'ssh-ed25519 AAAA', comment: '\u0000' }],
    ['a day that does not exist', { key: 'ssh-ed25519 AAAA', expires: '2027-02-30' }],
  ])('if the request is wrong: %s', async (_what, json) => {
    expect((await add(site.acme, json)).status).toBe(400);
  });

  test.each(['x', '%2F', 'a'.repeat(44), 'é'.repeat(43)])('the id %s is no id', async (id) => {
    expect([400, 404]).toContain((await site.acme.delete(`${path}/${id}`)).status);
  });

  test('the id .. is another address, which nothing deletes', async () => {
    expect((await site.acme.delete(`${path}/..`)).status).toBe(405);
  });

  test('without a session, and after it', async () => {
    expect((await createHttpClient(site.peer.url).get(path)).status).toBe(401);
    const client = await site.peer.logIn('hooli');
    const cookie = client.cookies.header() ?? '';
    await client.post('/2.0/logout');
    const answer = await createHttpClient(site.peer.url).post(path, { json: { key: newKey() }, headers: { cookie } });
    expect(answer.status).toBe(401);
  });
});
