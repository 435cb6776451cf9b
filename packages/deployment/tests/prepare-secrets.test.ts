import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseKeyRing } from '@waybill/secrets/key-ring';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { prepareSecrets } from '../src/prepare-secrets.ts';
import { secretTable } from '../src/secret-table.ts';

const names = Object.keys(secretTable);
const files: string[] = Object.values(secretTable).flatMap((entry) => [...entry.files]);
let folder: TestFolder;

beforeEach(async () => {
  folder = await createTestFolder();
  for (const name of new Set(['kept', 'redis', ...files.map((file) => file.split('/')[0] ?? '')])) {
    await mkdir(join(folder.path, name));
  }
});
afterEach(() => folder.remove());

const read = (file: string) => readFile(join(folder.path, file), 'utf8');
const readAll = () => Promise.all([...files, 'redis/users.acl'].map(read));

describe('preparing the passwords', () => {
  it('generates a long random one for each name at the first start, and keeps them afterwards', async () => {
    const made: string[] = await prepareSecrets(folder.path, {});
    expect(made.toSorted()).toEqual(names.toSorted());
    const before = await readAll();
    const kept = await Promise.all(names.map((name) => read(`kept/${name}`)));
    expect(new Set(kept).size).toBe(names.length);
    for (const [index, value] of kept.entries()) {
      expect(value).toMatch(names[index]?.endsWith('secret-keys') ? /^[\w-]+:[\w+/]{43}=$/u : /^[\w-]{32}$/u);
    }
    expect(await prepareSecrets(folder.path, {})).toEqual([]);
    expect(await readAll()).toEqual(before);
  });

  it('takes a value from the environment, and keeps it when the variable is no longer set', async () => {
    const made = await prepareSecrets(folder.path, { ADMIN_PASSWORD: 'chosen', ACME_PASSWORD: '' });
    expect(made).not.toContain('admin');
    expect(await read('setup/admin-password')).toBe('chosen');
    expect(await read('setup/acme-password')).not.toBe('');
    await prepareSecrets(folder.path, {});
    expect(await read('setup/admin-password')).toBe('chosen');
    await prepareSecrets(folder.path, { ADMIN_PASSWORD: 'another' });
    expect(await read('setup/admin-password')).toBe('another');
  });

  it('takes a value from the file that the variable with _FILE names, and refuses both, and a file that is not there', async () => {
    const file = join(folder.path, 'given');
    await writeFile(file, 'from-a-file\n');
    await prepareSecrets(folder.path, { ADMIN_PASSWORD_FILE: file, WAYBILL_DATABASE_PASSWORD_FILE: file });
    expect([await read('setup/admin-password'), await read('postgres/password')]).toEqual(Array(2).fill('from-a-file'));
    await expect(prepareSecrets(folder.path, { ADMIN_PASSWORD: 'x', ADMIN_PASSWORD_FILE: file })).rejects.toThrow(
      'ADMIN_PASSWORD and ADMIN_PASSWORD_FILE are both set',
    );
    await expect(prepareSecrets(folder.path, { ACME_PASSWORD_FILE: `${file}-missing` })).rejects.toThrow(
      'ACME_PASSWORD_FILE names a file that cannot be read (ENOENT)',
    );
  });

  it('keeps a password of Redis valid beside the new one as long as it is named previous', async () => {
    await prepareSecrets(folder.path, {});
    const kept = (name: string) => join(folder.path, 'kept', name);
    const hashOf = (value: string) => `#${createHash('sha256').update(value).digest('hex')}`;
    const before = await read('kept/redis-audit');
    await rename(kept('redis-audit'), kept('redis-audit.previous'));
    expect(await prepareSecrets(folder.path, {})).toEqual(['redis-audit']);
    const after = await read('audit/redis-password');
    expect(after).not.toBe(before);
    expect(await read('redis/users.acl')).toContain(`user audit on ${hashOf(after)} ${hashOf(before)} resetkeys`);
    await rm(kept('redis-audit.previous'));
    expect(await prepareSecrets(folder.path, {})).toEqual([]);
    expect(await read('redis/users.acl')).toContain(`user audit on ${hashOf(after)} resetkeys`);
  });

  it('adds a new key in front of a key ring as long as the old ones are named previous', async () => {
    await prepareSecrets(folder.path, {});
    const before = await read('job-worker/secret-keys');
    expect(parseKeyRing(before, 'SECRET_KEYS').ids).toHaveLength(1);
    await rename(join(folder.path, 'kept/secret-keys'), join(folder.path, 'kept/secret-keys.previous'));
    expect(await prepareSecrets(folder.path, {})).toEqual(['secret-keys']);
    const after = await read('job-worker/secret-keys');
    expect(after).toBe(`${await read('kept/secret-keys')}\n${before}`);
    expect(parseKeyRing(after, 'SECRET_KEYS').ids).toHaveLength(2);
    expect(await read('operator/secret-keys')).toBe(after);
    await rm(join(folder.path, 'kept/secret-keys.previous'));
    await prepareSecrets(folder.path, {});
    expect(await read('job-worker/secret-keys')).toBe(await read('kept/secret-keys'));
  });

  it('creates files that only the containers that need them can read', async () => {
    await prepareSecrets(folder.path, {});
    const modes = await Promise.all(files.map(async (file) => (await stat(join(folder.path, file))).mode & 0o777));
    expect(modes).toEqual(files.map((file) => (/^(?:postgres|redis)\//u.test(file) ? 0o444 : 0o400)));
  });

  it('restores what was removed or changed in the folder of one container', async () => {
    await prepareSecrets(folder.path, {});
    const before = await readAll();
    const file = join(folder.path, 'audit/redis-password');
    await chmod(file, 0o600);
    await writeFile(file, 'changed');
    await prepareSecrets(folder.path, {});
    expect(await readAll()).toEqual(before);
  });

  it('refuses an empty password', async () => {
    await writeFile(join(folder.path, 'kept', 'admin'), '');
    await expect(prepareSecrets(folder.path, {})).rejects.toThrow('is empty: remove it');
  });
});
