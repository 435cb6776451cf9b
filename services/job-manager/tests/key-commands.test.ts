import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runWaybill } from '@waybill/test-kit/processes/run-waybill';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { readStoredSecret } from './read-stored-secret.ts';
import { oneJobManager } from './test-managers.ts';

const api = '/platform-application/api/v1';
const keys = newKeyRingEntry();
const site = oneJobManager({ SECRET_KEYS: keys });
const canary = 'canary-of-a-password';
let folder: Awaited<ReturnType<typeof createTestFolder>>;

beforeAll(async () => {
  folder = await createTestFolder();
});
afterAll(() => folder?.remove());

/** Runs a command of a machine that knows the platform and a token only. */
async function waybill(command: string, more: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const login = { WAYBILL_URL: site.manager.url, WAYBILL_TOKEN: site.manager.admin };
  return await runWaybill([...command.split(' '), ...more], { ...login, ...env });
}

async function fileWith(content: string): Promise<string> {
  const file = path.join(folder.path, 'content.txt');
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

const stored = (name: string, owner?: string) =>
  readStoredSecret({ databaseUrl: site.platform.database.url, secretKeys: keys }, name, owner);

describe('waybill secret, with a platform and no database', () => {
  it('stores, replaces, lists and deletes, never shows a value, and is audited with the user of the token', async () => {
    const file = await fileWith(`${canary}\n`);
    expect(await waybill('secret set post', ['--file', file])).toMatchObject({
      code: 0,
      out: '+ Secret post\n',
      err: '',
    });
    expect(await waybill('secret set post', ['--file', file])).toMatchObject({ code: 0, out: '~ Secret post\n' });
    const ofActor = await waybill('secret set post --actor acme', ['--file', file]);
    expect(ofActor).toMatchObject({ code: 0, out: '+ Secret post of acme\n' });
    expect([await stored('post'), await stored('post', 'acme')]).toEqual([canary, canary]);

    const listed = await waybill('secret list');
    expect(listed.out).toMatch(/^NAME +ACTOR +KEY +SET\npost +[\w-]+ +\S+Z\npost +acme +\S+ +\S+Z\n$/u);
    const lines = (await waybill('secret list --actor acme --json')).out.trim().split('\n');
    expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([{ name: 'post', actor: 'acme' }]);
    expect(listed.out + lines.join('')).not.toContain('canary');
    const others = await waybill('secret list', ['--name', 'p*', '--sort=-actor']);
    expect(others.out).toMatch(/^NAME .*\npost +acme .*\npost {2,}[\w-]+ +\S+Z\n$/u);
    expect((await waybill('secret list', ['--name', 'q*'])).out).toBe('There are none.\n');

    expect(await waybill('secret delete post --actor acme')).toMatchObject({ code: 0, out: '- Secret post of acme\n' });
    expect(await waybill('secret delete post --actor acme')).toMatchObject({ code: 1, out: '' });
    const records = await site.platform.database.query(
      `SELECT DISTINCT payload ->> 'dataoneUser' AS user FROM outbox.events
        WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Secret'`,
    );
    expect(records).toEqual([{ user: 'admin' }]);
  });

  it('keeps what is in use, unless it is forced', async () => {
    await waybill('secret set used', ['--file', await fileWith('x')]);
    const connection = { type: 'smtp', host: 'mail', from: 'a@b.org', username: 'u', password: 'secret://used' };
    const request = { json: connection, bearer: site.manager.admin };
    expect((await site.manager.client.request('PUT', `${api}/client-connections/post`, request)).status).toBe(201);
    const refused = await waybill('secret delete used');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('refers to the secret')]);
    expect(await waybill('secret delete used --force')).toMatchObject({ code: 0, out: '- Secret used\n' });
  });

  it('asks the platform that is named, and otherwise the database of an installation', async () => {
    const database = { DATABASE_URL: 'postgres://nowhere.invalid/none', SECRET_KEYS: keys };
    expect((await waybill('secret list', [], database)).err).not.toBe('');
    const named = await waybill('secret list', ['--url', site.manager.url], database);
    expect([named.code, named.err]).toEqual([0, '']);
    const without = { WAYBILL_TOKEN: 'not-a-token' };
    expect(await waybill('secret list', [], without)).toMatchObject({ code: 4, out: '' });
  });
});

describe('waybill pgp-key, with a platform and no database', () => {
  it('generates a key, whose private part is a secret, and whose entry can be stored and listed', async () => {
    const made = await waybill('pgp-key generate own --user Waybill --days 20');
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).not.toContain('PRIVATE');
    expect(made.out).toMatch(/^# \+ Secret own; fingerprint [0-9A-F]{40,64}\n/u);
    const privateKey = await stored('own');
    expect(privateKey).toMatch(/^-----BEGIN PGP PRIVATE KEY BLOCK-----/u);

    const entry = z.object({ pgpKeys: z.array(z.looseObject({ name: z.string() })) }).parse(parse(made.out));
    const request = { json: entry.pgpKeys[0] ?? {}, bearer: site.manager.admin };
    expect((await site.manager.client.post(`${api}/pgp-keys`, request)).status).toBe(201);
    const [, fingerprint = ''] = /fingerprint (\S+)/u.exec(made.out) ?? [];
    const listed = await waybill('pgp-key list');
    expect([listed.code, listed.out]).toEqual([0, expect.stringMatching(`^own  private  .*${fingerprint}  expires `)]);

    const imported = await waybill('pgp-key import again --actor acme', ['--file', await fileWith(privateKey)]);
    expect(imported.out).toContain(`# + Secret again of acme; fingerprint ${fingerprint}\n`);
    expect(await stored('again', 'acme')).toMatch(/^-----BEGIN PGP PRIVATE KEY BLOCK-----/u);
  });

  it('stores nothing for those who may not', async () => {
    const answer = await site.manager.client.post(`${api}/auth/login`, {
      json: { username: 'viewer', password: 'viewer-demo' },
    });
    const { accessToken } = z.object({ accessToken: z.string() }).parse(answer.json());
    const refused = await waybill('pgp-key generate other --user Waybill', [], { WAYBILL_TOKEN: accessToken });
    expect([refused.code, refused.out]).toEqual([1, '']);
    expect((await waybill('secret list')).out).not.toContain('other');
  });
});

describe('waybill ssh-key, with a platform and no database', () => {
  it('generates a key on the platform, prints its public part, and lists it', async () => {
    const made = await waybill('ssh-key generate login --actor acme --comment', ['of the tests']);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(made.out).toMatch(
      /^# \+ Secret login of acme \(key \S+\); fingerprint SHA256:\S{43}\nssh-ed25519 \S+ of the tests\n$/u,
    );
    expect(await stored('login', 'acme')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/u);
    const again = await waybill('ssh-key generate login --actor acme --kind ecdsa');
    expect(again.out).toMatch(/^# ~ Secret login of acme .*\necdsa-sha2-nistp256 \S+ waybill\n$/u);
    const [, fingerprint = '', line = ''] = /fingerprint (\S+)\n(.*)\n/u.exec(again.out) ?? [];
    const listed = await waybill('ssh-key list --actor acme');
    expect(listed.code).toBe(0);
    const [head = '', row = '', ...rest] = listed.out.trimEnd().split('\n');
    expect(head).toMatch(/^NAME +ACTOR +FINGERPRINT +USED BY +PUBLIC KEY$/u);
    expect(row).toMatch(/^login +acme +/u);
    expect([row.includes(`  ${fingerprint}  `), row.endsWith(line), rest]).toEqual([true, true, []]);
    const json: unknown = JSON.parse((await waybill('ssh-key list --actor acme --json')).out);
    expect(json).toMatchObject({ name: 'login', actor: 'acme', fingerprint, publicKey: line, usedBy: [] });
  });

  it('imports a key with the passphrase of the variable, and says if it is missing', async () => {
    const privateKey = await lockedKey();
    const args = ['--file', await fileWith(privateKey)];
    const locked = await waybill('ssh-key import locked', args);
    expect([locked.code, locked.out]).toEqual([1, '']);
    expect(locked.err).toContain('The private key needs its passphrase: set SSH_KEY_PASSPHRASE');
    const wrong = await waybill('ssh-key import locked', args, { SSH_KEY_PASSPHRASE: 'another' });
    expect(wrong.err).toContain('has another passphrase than SSH_KEY_PASSPHRASE');
    const made = await waybill('ssh-key import locked', args, { SSH_KEY_PASSPHRASE: canary });
    expect(made).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/\nssh-ed25519 \S+ waybill\n$/u) });
    expect(await stored('locked')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----/u);
    expect((await waybill('secret list')).out).toMatch(/^locked +\S+ +\S+Z$/mu);
  });

  it('explains a wrong use before it asks, and what the platform refuses', async () => {
    expect((await waybill('ssh-key generate x --kind dsa')).err).toMatch(
      /--kind .*dsa.*Allowed choices are ed25519, ecdsa, rsa/u,
    );
    const refused = await waybill('ssh-key import x', ['--file', await fileWith('no key')]);
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('privateKey: cannot be read')]);
  });
});

/** A private key with the passphrase of the canary, as OpenSSH writes it. */
async function lockedKey(): Promise<string> {
  const file = path.join(folder.path, 'locked');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-a', '1', '-N', canary, '-f', file]);
  return await readFile(file, 'utf8');
}
