import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { openKeyRingSource } from '@waybill/secrets/key-ring-source';
import { createSecretReader } from '@waybill/secrets/read-secrets';
import { createTestDatabase, type TestDatabase } from '@waybill/test-kit/create-test-database';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { urlAs, type TestRole } from '@waybill/test-kit/test-roles';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { runCommandLine } from '../src/run-command-line.ts';
import { migrateAll } from './role-attempts.ts';

const payloadsSchema = z.array(
  z.object({ entityName: z.string(), context: z.object({ difference: z.string().optional() }).default({}) }),
);
const canary = 'canary-7f3a-🔑-value';
const [oldKey, newKey] = [newKeyRingEntry(), newKeyRingEntry()];
let database: TestDatabase;
let folder: TestFolder;

beforeAll(async () => {
  [database, folder] = await Promise.all([createTestDatabase(), createTestFolder()]);
  await migrateAll(database.url);
});
afterAll(async () => {
  await database?.drop();
  await folder?.remove();
});

interface Run {
  readonly role?: TestRole;
  readonly keys?: string;
  readonly input?: string | Buffer;
}

async function waybill(args: readonly string[], { role = 'operator', keys = oldKey, input }: Run = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const env = { DATABASE_URL: urlAs(role, database.url), SECRET_KEYS: keys };
  const code = await runCommandLine(args, {
    env,
    ...(input !== undefined && { input: Readable.from([Buffer.from(input)]) }),
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

async function stored(name: string, keys: string, owner = ''): Promise<string> {
  const db = connectPostgres({ url: urlAs('job_manager', database.url), applicationName: 'secrets test', poolSize: 1 });
  try {
    const source = openKeyRingSource({ SECRET_KEYS: keys }, { maxAgeMs: 0 });
    return (await createSecretReader(db, source).read({ owner, name })).reveal();
  } finally {
    await db.destroy();
  }
}

/** The events of a secret that will be recorded. */
async function recordsOf(secret: string) {
  const db = connectPostgres({ url: database.url, applicationName: 'secrets test', poolSize: 1 });
  try {
    const payloads = await db('outbox.events').orderBy('created_at').pluck<unknown[]>('payload');
    return payloadsSchema.parse(payloads).filter(({ entityName }) => entityName === secret);
  } finally {
    await db.destroy();
  }
}

it('stores what standard input holds, without its last newline, and never shows it', async () => {
  const set = await waybill(['secret', 'set', 'acme-sftp'], { input: `${canary}\n` });
  expect(set).toMatchObject({ code: 0, err: '' });
  expect(await stored('acme-sftp', oldKey)).toBe(canary);
  const listed = await waybill(['secret', 'list']);
  expect(listed.out).toContain('acme-sftp');
  const everything = await database.query(
    `SELECT secrets::text AS row FROM secrets.secrets UNION ALL SELECT payload::text FROM outbox.events`,
  );
  expect(set.out + listed.out + JSON.stringify(everything)).not.toContain('canary');
  expect(JSON.stringify(everything)).toContain('acme-sftp');
});

it('replaces a secret, and keeps those of actors and of the platform apart', async () => {
  await waybill(['secret', 'set', 'shared'], { input: 'of the platform' });
  const ofActor = ['secret', 'set', 'shared', '--actor', 'acme'];
  expect(await waybill(ofActor, { input: 'of acme' })).toMatchObject({
    code: 1,
    err: expect.stringContaining('there is no actor acme: create it before its secrets'),
  });
  await database.query(`INSERT INTO directory.actors (name, definition) VALUES ('acme', '{}')`);
  expect((await waybill(ofActor, { input: 'of acme' })).code).toBe(0);
  expect((await waybill(['secret', 'set', 'shared'], { input: 'again' })).out).toMatch(/^~ Secret shared/u);
  expect(await stored('shared', oldKey)).toBe('again');
  expect(await stored('shared', oldKey, 'acme')).toBe('of acme');
});

it('lists secrets by name, in any of its orders', async () => {
  for (const [name, ...more] of [['listed-b'], ['listed-a', '--actor', 'acme'], ['listed-c', '--actor', 'acme']])
    await waybill(['secret', 'set', name ?? '', ...more], { input: 'x' });
  const list = async (...more: readonly string[]) => {
    const { out } = await waybill(['secret', 'list', '--name', 'listed-*', '--json', ...more]);
    return out.split('\n').map((line) => (JSON.parse(line) as { name: string }).name);
  };
  expect(await list()).toEqual(['listed-b', 'listed-a', 'listed-c']);
  expect(await list('--sort', 'name')).toEqual(['listed-a', 'listed-b', 'listed-c']);
  expect(await list('--sort=-name')).toEqual(['listed-c', 'listed-b', 'listed-a']);
  expect(await list('--sort=-actor')).toEqual(['listed-c', 'listed-a', 'listed-b']);
  expect(await waybill(['secret', 'list', '--sort', 'age'])).toMatchObject({ code: 2, out: '' });
});

it('reads a value from a file', async () => {
  const file = path.join(folder.path, 'value');
  await writeFile(file, '-----BEGIN KEY-----\nAAAA\n-----END KEY-----\n');
  expect(await waybill(['secret', 'set', 'key', '--file', file])).toMatchObject({ code: 0 });
  expect(await stored('key', oldKey)).toBe('-----BEGIN KEY-----\nAAAA\n-----END KEY-----');
});

it.each([
  ['no value', [], undefined, 'standard input'],
  ['an empty value', [], '\n', 'is empty'],
  ['a huge value', [], 'x'.repeat(70_000), '64 KiB'],
  ['bytes that are no text', [], Buffer.from([0xff, 0xfe, 1]), 'UTF-8'],
  ['a value among the arguments', [canary], undefined, 'too many arguments'],
  ['a file that does not exist', ['--file', '/nowhere/at/all'], undefined, 'ENOENT'],
])('refuses %s and stores nothing', async (_, more, input, message) => {
  const refused = await waybill(['secret', 'set', 'refused', ...more], input === undefined ? {} : { input });
  expect(refused).toMatchObject({ code: 2, out: '' });
  expect(refused.err).toContain(message);
  expect(refused.err).not.toContain(canary);
  expect((await waybill(['secret', 'list'])).out).not.toContain('refused');
});

it('refuses names that cannot be in a reference, and to work without keys', async () => {
  for (const name of ['', '../x', 'a b', 'a/b', 'x'.repeat(129)]) {
    expect(await waybill(['secret', 'set', name], { input: 'x' })).toMatchObject({ code: 2 });
  }
  const without = await waybill(['secret', 'set', 'x'], { input: 'x', keys: '' });
  expect(without).toMatchObject({ code: 1, err: expect.stringContaining('SECRET_KEYS_FILE is not set') });
});

it('rotates keys: both decrypt, then all secrets are encrypted with the new one, and the old one can go', async () => {
  await waybill(['secret', 'set', 'rotated'], { input: canary });
  const both = `${newKey}\n${oldKey}`;
  expect(await stored('rotated', both)).toBe(canary);
  // The operator has the keys, but may not read the ciphertexts.
  expect(await waybill(['secret', 'reencrypt'], { keys: both })).toMatchObject({ code: 1 });
  const done = await waybill(['secret', 'reencrypt'], { keys: both, role: 'job_manager' });
  expect(done).toMatchObject({ code: 0, err: '' });
  expect(await stored('rotated', newKey)).toBe(canary);
  const records = await recordsOf('rotated');
  expect(records).toHaveLength(2);
  expect(JSON.parse(records[1]?.context.difference ?? '')).toEqual({
    before: { keyId: oldKey.split(':')[0] },
    after: { keyId: newKey.split(':')[0] },
  });
  expect(JSON.stringify(records)).not.toContain(canary);
  const again = await waybill(['secret', 'reencrypt'], { keys: newKey, role: 'job_manager' });
  expect(again.out).toMatch(/^0 secrets/u);
  expect(await recordsOf('rotated')).toHaveLength(2);
});

it('deletes a secret that a client connection refers to by force only', async () => {
  await waybill(['secret', 'set', 'used'], { input: 'x' });
  const connection = JSON.stringify({ name: 'hooks', type: 'http', bearerToken: 'secret://used' });
  await database.query(
    `INSERT INTO directory.client_connections (name, source, definition) VALUES ('hooks', NULL, '${connection}')`,
  );
  const refused = await waybill(['secret', 'delete', 'used']);
  expect(refused).toMatchObject({
    code: 1,
    err: expect.stringContaining('Client Connection hooks of the API: bearerToken'),
  });
  expect(await waybill(['secret', 'delete', 'used', '--force'])).toMatchObject({ code: 0, out: '- Secret used' });
});

it('deletes a secret once', async () => {
  await waybill(['secret', 'set', 'gone'], { input: 'x' });
  expect(await waybill(['secret', 'delete', 'gone'])).toMatchObject({ code: 0, out: '- Secret gone' });
  expect(await waybill(['secret', 'delete', 'gone'])).toMatchObject({ code: 1 });
  await expect(stored('gone', newKey)).rejects.toMatchObject({ code: 'secret_unknown' });
});
