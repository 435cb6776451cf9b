import { chmod, readFile, utimes } from 'node:fs/promises';
import path from 'node:path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { platformKeyStores } from '../src/platform-key-stores.ts';
import { runCommandLine } from '../src/run-command-line.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let env: Record<string, string>;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  const migrating = { DATABASE_URL: database.url, DATABASE_PASSWORD_AUDIT: testRoles.passwords.audit };
  await runCommandLine(['migrate'], { env: migrating, out: () => {}, err: () => {} });
});
afterAll(() => database.drop());

beforeEach(async () => {
  folder = await createTestFolder();
  const at = (name: string) => path.join(folder.path, name);
  env = {
    ACCESS_SIGNING_KEY_FILE: at('access.pem'),
    RECEIPT_SIGNING_KEY_FILE: at('receipts.pem'),
    AUDIT_SIGNING_KEY_FILE: at('audit.pem'),
    SFTP_HOST_KEY_DIR: at('host'),
    SFTP_HOST_KEY_TYPES: 'ed25519,ecdsa',
    DATABASE_URL: urlAs('audit', database.url),
  };
});

afterEach(() => folder.remove());

const purposes = ['tokens', 'receipts', 'audit', 'host-ed25519', 'host-ecdsa'];

/** What the services do when they start. */
const makeFirstKeys = () => Promise.all(platformKeyStores(env).map((store) => loadKeySet(store)));

async function waybill(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const exitCode = await runCommandLine(['signing-keys', ...args], {
    env,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { exitCode, out: out.join('\n'), err: err.join('\n') };
}

/** The lines of a purpose, as `[role, kid]`. */
async function listed(purpose: string): Promise<string[][]> {
  const lines = (await waybill('list')).out.split('\n').map((line) => line.split(/\s+/u));
  return lines.filter(([name]) => name === purpose).map((words) => words.slice(1, 3));
}

describe('waybill signing-keys', () => {
  it.each(purposes)('rotates the keys of %s', async (purpose) => {
    await makeFirstKeys();
    const [[, old = ''] = []] = await listed(purpose);
    const added = await waybill('add', purpose);
    const [, [, next = ''] = []] = await listed(purpose);
    expect(added.out).toContain(`${purpose}: ${next} is the next key.`);
    expect(await listed(purpose)).toEqual([
      ['active', old],
      ['next', next],
    ]);
    expect(await waybill('activate', purpose)).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(/the next key is too new: wait \d+ seconds/u) as string,
    });
    const { file } = platformKeyStores(env).find((store) => store.purpose === purpose) ?? { file: '' };
    const longAgo = new Date(Date.now() - 301_000);
    await utimes(`${file}.next`, longAgo, longAgo);
    expect(await waybill('activate', purpose)).toEqual({
      exitCode: 0,
      out: `${purpose}: ${next} is the active key. The previous one is accepted until it is removed.`,
      err: '',
    });
    expect(await listed(purpose)).toEqual([
      ['active', next],
      ['previous', old],
    ]);
    expect(await waybill('remove', purpose, old)).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining(`: ${old} may have signed until `) as string,
    });
    expect(await waybill('remove', purpose, old, '--now')).toEqual({
      exitCode: 0,
      out: `${purpose}: ${old} is removed.`,
      err: '',
    });
    expect(await listed(purpose)).toEqual([['active', next]]);
  });

  it.each([
    ['tokens', 900 + 70],
    ['receipts', 730 * 86_400 + 70],
    ['audit', 70],
    ['host-ed25519', 70],
  ])('removes the old key of %s without --now after %i seconds, not earlier', async (purpose, seconds) => {
    await makeFirstKeys();
    const [[, old = ''] = []] = await listed(purpose);
    await waybill('add', purpose);
    const rotated = Date.now();
    await waybill('activate', purpose, '--now');
    const done = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: rotated + seconds * 1_000 - 2_000 });
    try {
      expect(await waybill('remove', purpose, old)).toMatchObject({ exitCode: 1 });
      vi.setSystemTime(done + seconds * 1_000 + 1_000);
      expect(await waybill('remove', purpose, old)).toMatchObject({ exitCode: 0 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('is audited step by step, with the role of the service that owns the key', async () => {
    await makeFirstKeys();
    const [[, old = ''] = []] = await listed('audit');
    await waybill('add', 'audit');
    const [, [, next = ''] = []] = await listed('audit');
    await waybill('add', 'audit');
    await waybill('activate', 'audit', '--now');
    await waybill('remove', 'audit', old, '--now');
    await using resources = new AsyncDisposableStack();
    const db = connectPostgres({ url: database.url, applicationName: 'cli test' });
    resources.defer(() => db.destroy());
    const { rows } = await db.raw<{ rows: unknown[] }>(
      `SELECT payload ->> 'auditCode' AS code, payload ->> 'entityType' AS type, payload ->> 'entityId' AS kid
       FROM outbox.events WHERE payload ->> 'entityId' IN (?, ?) ORDER BY id`,
      [old, next],
    );
    const type = 'Signing Key';
    // The second key was refused: there was no change.
    expect(rows).toEqual([
      { code: 'AUD0001A', type, kid: next },
      { code: 'AUD0003A', type, kid: next },
      { code: 'AUD0005A', type, kid: old },
    ]);
  });

  it('fails before it changes a key if it cannot be audited, and warns if there is no database', async () => {
    await makeFirstKeys();
    const { DATABASE_URL: _, ...others } = env;
    env = { ...others, DATABASE_URL: 'postgresql://audit:audit@127.0.0.1:1/none' };
    expect(await waybill('add', 'tokens')).toMatchObject({ exitCode: 1, out: '' });
    expect(await listed('tokens')).toHaveLength(1);
    env = others;
    expect(await waybill('add', 'tokens')).toMatchObject({
      exitCode: 0,
      err: 'Warning: DATABASE_URL is not set: the audit log has no record of this change.',
    });
    expect(await listed('tokens')).toHaveLength(2);
  });

  it('waits for tokens that are valid for longer', async () => {
    env = { ...env, ACCESS_TOKEN_SECONDS: '3600' };
    await makeFirstKeys();
    const [[, old = ''] = []] = await listed('tokens');
    await waybill('add', 'tokens');
    await waybill('activate', 'tokens', '--now');
    const { err } = await waybill('remove', 'tokens', old);
    const [, signed = '', used = ''] = /until (\S+Z), .* until (\S+Z):/u.exec(err) ?? [];
    expect(Date.parse(used) - Date.parse(signed)).toBe(3_670_000);
  });

  it('removes the next key at once, which has signed nothing', async () => {
    await makeFirstKeys();
    await waybill('add', 'tokens');
    const [, [, next = ''] = []] = await listed('tokens');
    expect(await waybill('remove', 'tokens', next)).toMatchObject({ exitCode: 0 });
  });

  it('accepts a key id that begins with dashes', async () => {
    await makeFirstKeys();
    expect(await waybill('remove', 'tokens', '--mi_1TAqcv7ZdtCdQ')).toMatchObject({
      exitCode: 1,
      err: 'waybill signing-keys remove: ACCESS_SIGNING_KEY_FILE: there is no key --mi_1TAqcv7ZdtCdQ',
    });
  });

  it('activates a key at once after a leak', async () => {
    await makeFirstKeys();
    await waybill('add', 'tokens');
    expect(await waybill('activate', 'tokens', '--now')).toMatchObject({ exitCode: 0 });
  });

  it('shows that a service has generated no key yet, and generates none itself', async () => {
    const { out } = await waybill('list');
    expect(out.split('\n')).toEqual(
      purposes.map((purpose) => `${purpose}  (no key yet: the service generates it when it starts)`),
    );
    expect(await waybill('add', 'audit')).toMatchObject({
      exitCode: 1,
      err: `waybill signing-keys add: AUDIT_SIGNING_KEY_FILE: ${env['AUDIT_SIGNING_KEY_FILE']} does not exist yet: the service generates the first key when it starts`,
    });
    expect((await waybill('list')).out).toBe(out);
  });

  it('shows only the keys of the service whose environment it has, and no private key', async () => {
    await makeFirstKeys();
    env = { ACCESS_SIGNING_KEY_FILE: env['ACCESS_SIGNING_KEY_FILE'] ?? '' };
    const { out } = await waybill('list');
    expect(out).toMatch(/^tokens {2}active {4}[\w-]{43} {2}\S+access\.pem$/u);
    const text = await readFile(env['ACCESS_SIGNING_KEY_FILE'] ?? '', 'utf8');
    for (const line of text.split('\n').filter((each) => each !== '')) expect(out).not.toContain(line);
    expect(await waybill('add', 'audit')).toMatchObject({
      exitCode: 2,
      err: 'waybill signing-keys add: unknown purpose audit; use tokens',
    });
  });

  it('names the settings if none is set', async () => {
    env = {};
    expect(await waybill('list')).toMatchObject({
      exitCode: 2,
      err: 'waybill signing-keys list: none of ACCESS_SIGNING_KEY_FILE, RECEIPT_SIGNING_KEY_FILE, AUDIT_SIGNING_KEY_FILE, SFTP_HOST_KEY_DIR is set: use the environment of the service that owns the keys',
    });
  });

  it('names the setting and the file of a key that others can read', async () => {
    await makeFirstKeys();
    await chmod(env['RECEIPT_SIGNING_KEY_FILE'] ?? '', 0o644);
    expect(await waybill('list')).toMatchObject({
      exitCode: 1,
      err: `waybill signing-keys list: RECEIPT_SIGNING_KEY_FILE: ${env['RECEIPT_SIGNING_KEY_FILE']} can be read or changed by others (mode 644): chmod 600`,
    });
  });
});
