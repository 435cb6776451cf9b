import { Readable } from 'node:stream';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import { startGnupg } from '@waybill/test-kit/gnupg/start-gnupg';
import { urlAs } from '@waybill/test-kit/test-roles';
import { beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { oneCommandLine } from './one-command-line.ts';
import { migrateAll } from './role-attempts.ts';

const line = oneCommandLine();
const keys = newKeyRingEntry();

beforeAll(() => migrateAll(line.database.url));

async function waybill(args: readonly string[], input?: string, more: Readonly<Record<string, string>> = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    env: { DATABASE_URL: line.database.url, SECRET_KEYS: keys, ...more },
    ...(input !== undefined && { input: Readable.from([Buffer.from(input)]) }),
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function stored(name: string): Promise<string> {
  const db = connectPostgres({ url: urlAs('job_manager', line.database.url), applicationName: 'test', poolSize: 1 });
  try {
    const source = openKeyRingSource({ SECRET_KEYS: keys }, { maxAgeMs: 0 });
    return (await createSecretReader(db, source).read({ owner: '', name })).reveal();
  } finally {
    await db.destroy();
  }
}

const file = (pgpKeys: string): string => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: 'a password of 12', roles: [Administrators] }]
${pgpKeys}
`;

it('generates a key, whose private part is a secret, and whose entry can be applied and listed', async () => {
  const made = await waybill([
    'pgp-key',
    'generate',
    'own',
    '--user',
    'Waybill',
    '--email',
    'own@waybill.test',
    '--days',
    '20',
  ]);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).not.toContain('PRIVATE');
  expect(await stored('own')).toMatch(/^-----BEGIN PGP PRIVATE KEY BLOCK-----/u);
  const applied = await line.run('apply', file(made.out));
  expect(applied.out).toContain('+ PGP Key own');
  expect(applied.out).toMatch(/pgpKeys\[0\]\.publicKey: the key expires soon/u);
  expect(applied.out).not.toContain('there is no secret');
  const listed = await waybill(['pgp-key', 'list']);
  expect(listed.out).toMatch(/^own {2}private {2}\S+ .*[0-9A-F]{40} {2}expires 20\d\d.*Waybill <own@waybill\.test>$/u);
});

it('imports a key of GnuPG without its passphrase, and only with the right one', async () => {
  await using gnupg = await startGnupg();
  const key = await gnupg.generate('import@waybill.test', 'ecc', { passphrase: 'a long one' });
  const wrong = await waybill(['pgp-key', 'import', 'imported'], key.privateKey, { PGP_PASSPHRASE: 'another' });
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('has another passphrase') });
  const none = await waybill(['pgp-key', 'import', 'imported'], key.privateKey);
  expect(none.err).toContain('set PGP_PASSPHRASE');
  const imported = await waybill(['pgp-key', 'import', 'imported'], key.privateKey, { PGP_PASSPHRASE: 'a long one' });
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(imported.out).toContain(key.fingerprint);
  await using other = await startGnupg();
  await other.add(await stored('imported'));
  expect((await other.run(['-u', key.user, '--detach-sign'], Buffer.from('x'))).out.length).toBeGreaterThan(50);
}, 60_000);

it.each([
  [
    'a private key in the configuration',
    '-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n-----END PGP PRIVATE KEY BLOCK-----',
  ],
  ['text', 'this is no key'],
])('refuses %s', async (_, text) => {
  const indented = text.split('\n').join('\n      ');
  const refused = await line.run('plan', file(`pgpKeys:\n  - name: a\n    publicKey: |\n      ${indented}`));
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('must be one public key with ASCII armor');
});

it('warns of a key that is damaged, and of one without its secret', async () => {
  const damaged = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n      AAAA\n      -----END PGP PUBLIC KEY BLOCK-----';
  const planned = await line.run(
    'plan',
    file(`pgpKeys:\n  - name: a\n    privateKey: secret://gone\n    publicKey: |\n      ${damaged}`),
  );
  expect(planned.out).toMatch(/pgpKeys\[0\]\.publicKey: The PGP key a /u);
  expect(planned.out).toMatch(/pgpKeys\[0\]\.privateKey: there is no secret gone/u);
});

it.each([
  [['pgp-key', 'generate', 'x'], "required option '--user <name>'"],
  [['pgp-key', 'generate', 'x', '--user', 'u', '--kind', 'dsa'], 'Allowed choices are ecc, rsa'],
  [['pgp-key', 'generate', 'x', '--user', 'u', '--days', '0'], '--days is a number'],
])('explains a wrong use: %s', async (args, message) => {
  expect((await waybill(args)).err).toContain(message);
});
