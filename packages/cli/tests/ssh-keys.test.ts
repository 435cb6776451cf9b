import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import { urlAs } from '@waybill/test-kit/test-roles';
import { beforeAll, expect, it } from 'vitest';
import { runCommandLine } from '../src/run-command-line.ts';
import { oneCommandLine } from './one-command-line.ts';
import { migrateAll } from './role-attempts.ts';

const line = oneCommandLine();
const keys = newKeyRingEntry();
const dayMs = 86_400_000;

beforeAll(() => migrateAll(line.database.url));

interface Surroundings {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function waybill(args: readonly string[], { input, env = {} }: Surroundings = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await runCommandLine(args, {
    env: { DATABASE_URL: urlAs('operator', line.database.url), SECRET_KEYS: keys, ...env },
    ...(input !== undefined && { input: Readable.from([Buffer.from(input)]) }),
    out: (text) => out.push(text),
    err: (text) => err.push(text),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function stored(name: string, owner = ''): Promise<string> {
  const db = connectPostgres({ url: urlAs('job_manager', line.database.url), applicationName: 'test', poolSize: 1 });
  try {
    const source = openKeyRingSource({ SECRET_KEYS: keys }, { maxAgeMs: 0 });
    return (await createSecretReader(db, source).read({ owner, name })).reveal();
  } finally {
    await db.destroy();
  }
}

const hostKeys = "hostKeys: ['SHA256:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA']";
const file = (more: string): string => `
manager: { name: manager1 }
clusters: [{ name: cluster1, servers: [{ name: sftp-server, protocol: SFTP }] }]
managerUsers: [{ name: admin, password: 'a password of 12', roles: [Administrators] }]
actors:
  - name: acme
    type: Partner
    clientConnections:
      - { name: acme-sftp, type: sftp, host: sftp.example.org, username: u, ${more}, ${hostKeys} }
`;
const rsa = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs1', format: 'pem' }).toString();

it('generates a key, whose private part is a secret, and lists it with the connections that use it', async () => {
  const generate = ['ssh-key', 'generate', 'login', '--actor', 'acme', '--comment', 'waybill@example.org'];
  expect((await waybill(generate)).err).toContain('there is no actor acme: create it before its secrets');
  expect((await line.run('apply', file("password: 'secret://later'"))).code).toBe(0);
  const made = await waybill(generate);
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(
    /^# \+ Secret login of acme \(key \S+\); fingerprint SHA256:\S{43}\nssh-ed25519 \S+ waybill@example\.org$/u,
  );
  expect(await stored('login', 'acme')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/u);
  expect((await waybill(['ssh-key', 'list'])).out).toContain('not used');
  const applied = await line.run('apply', file("privateKey: 'secret://login', keyExpires: 2099-12-31"));
  expect(applied.out).not.toContain('! platform.yaml');
  const listed = await waybill(['ssh-key', 'list']);
  const [, publicKey = ''] = made.out.split('\n');
  expect(listed.out).toMatch(/^login {2,}acme {2,}SHA256:\S{43} {2,}acme-sftp \(until 2099-12-31\) {2}ssh-ed25519 /mu);
  expect(listed.out).toContain(publicKey);
});

it('replaces a key, and forgets the public key when the secret becomes another one', async () => {
  const first = await waybill(['ssh-key', 'generate', 'replaced']);
  const second = await waybill(['ssh-key', 'generate', 'replaced', '--kind', 'ecdsa']);
  expect(second.out).toContain('# ~ Secret replaced');
  const [oldKey = '', newKey = ''] = [first, second].map(({ out }) => out.split('\n')[1]);
  const listed = await waybill(['ssh-key', 'list']);
  expect(listed.out).toContain(newKey);
  expect(listed.out).not.toContain(oldKey);
  await waybill(['secret', 'set', 'replaced'], { input: 'a password' });
  expect((await waybill(['ssh-key', 'list'])).out).not.toContain('replaced');
});

it('imports a key and prints its public part', async () => {
  const made = await waybill(['ssh-key', 'import', 'old'], { input: rsa(2_048) });
  expect(made).toMatchObject({ code: 0, err: '' });
  expect(made.out).toMatch(/\nssh-rsa AAAA\S+ waybill$/u);
  expect(await stored('old')).toMatch(/^-----BEGIN OPENSSH PRIVATE KEY-----\n/u);
});

it.each([
  ['nothing', '', 'standard input is empty'],
  ['a line end', '\n', 'standard input is empty'],
  ['more than 64 KiB', 'A'.repeat(65_537), 'has more than 64 KiB'],
  ['64 KiB', 'A'.repeat(65_536), 'cannot be read'],
  ['bytes that are no text', '\0\0', 'is not UTF-8 text'],
  ['a short RSA key', rsa(1_024), 'is an RSA key of 1024 bits: it needs 2048 or more'],
])('refuses to import %s, and stores nothing', async (_, input, message) => {
  const refused = await waybill(['ssh-key', 'import', 'refused'], { input });
  expect(refused.code).not.toBe(0);
  expect(refused.err).toContain(message);
  expect(refused.err).not.toContain(input.split('\n')[1] || 'BEGIN');
  expect((await waybill(['secret', 'list'])).out).not.toContain('refused');
});

it.each([
  [['ssh-key', 'generate', 'x', '--kind', 'dsa'], 'Allowed choices are ed25519, ecdsa, rsa'],
  [['ssh-key', 'generate', 'x', '--comment', 'two\nlines'], '--comment is a line'],
  [['ssh-key', 'generate', 'x', '--comment', 'x'.repeat(201)], '--comment is a line'],
  [['ssh-key', 'generate', '../x'], 'the name of a secret'],
  [['ssh-key', 'generate', 'x', '--actor', 'a/b'], '--actor is not the name'],
])('explains a wrong use: %j', async (args, message) => {
  expect((await waybill(args)).err).toContain(message);
});

it('generates nothing without the key ring', async () => {
  const refused = await waybill(['ssh-key', 'generate', 'x'], { env: { SECRET_KEYS: '' } });
  expect(refused.code).toBe(1);
  expect(refused.out).toBe('');
});

it.each([
  ['has expired', '2020-01-31', 'the key has expired: 2020-01-31'],
  ['expires soon', new Date(Date.now() + 10 * dayMs).toISOString(), 'the key expires soon'],
])('plan and apply warn of a key that %s', async (_, end, message) => {
  for (const command of ['plan', 'apply'] as const) {
    const { code, out } = await line.run(command, file(`privateKey: 'secret://login', keyExpires: '${end}'`));
    expect(code).toBe(0);
    expect(out).toContain(`actors[0].clientConnections[0].keyExpires: ${message}`);
  }
});

it.each([
  ['a key that is not there', "password: 'secret://p', keyExpires: 2099-12-31", 'belongs to a privateKey'],
  ['a time that is no date', "privateKey: 'secret://login', keyExpires: soon", 'is neither a day'],
  ['a day that does not exist', "privateKey: 'secret://login', keyExpires: 2026-02-30", 'is neither a day'],
  ['a number', "privateKey: 'secret://login', keyExpires: 20991231", 'is neither a day'],
])('refuses keyExpires of %s', async (_, more, message) => {
  const refused = await line.run('plan', file(more));
  expect(refused.code).toBe(1);
  expect(refused.err).toContain(message);
});
