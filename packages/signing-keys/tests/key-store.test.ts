import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { NamedKey } from '@waybill/signing-keys/key-set';
import type { KeyStore } from '@waybill/signing-keys/key-store';
import { loadKeySet } from '@waybill/signing-keys/load-key-set';
import { addKey } from '@waybill/signing-keys/rotate-keys';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ed25519Store } from './ed25519-store.ts';

let folder: Awaited<ReturnType<typeof createTestFolder>>;
let store: KeyStore<NamedKey>;
let file: string;

beforeEach(async () => {
  folder = await createTestFolder();
  file = path.join(folder.path, 'keys', 'test.pem');
  store = ed25519Store(file);
});

afterEach(() => folder.remove());

/** A key in a file that the store has not named. */
async function otherKey(): Promise<string> {
  const other = ed25519Store(path.join(folder.path, 'other.pem'));
  await loadKeySet(other);
  return other.file;
}

describe('an empty store', () => {
  it('gets a key that only its owner can read, and reads it again the next time', async () => {
    const { active } = await loadKeySet(store);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await loadKeySet(store)).toEqual({ active, next: undefined, previous: [] });
  });

  it('gives processes that start together one and the same key, and leaves nothing else behind', async () => {
    const sets = await Promise.all(Array.from({ length: 8 }, () => loadKeySet(store)));
    expect(new Set(sets.map(({ active }) => active.kid)).size).toBe(1);
    expect(await readdir(path.dirname(file))).toEqual(['test.pem']);
  });
});

describe('a store with spare keys', () => {
  it('has the next one and all previous ones, of which the public half is enough', async () => {
    const { active } = await loadKeySet(store);
    const next = await addKey(store);
    const retired = await otherKey();
    const pem = createPublicKey(await readFile(retired, 'utf8')).export({ format: 'pem', type: 'spki' });
    await writeFile(`${file}.previous`, pem);
    await copyFile(file, `${file}.previous-2`);
    await writeFile(`${file}.previously`, 'no key');
    await writeFile(`${file}.backup`, 'no key');
    const { active: other } = await loadKeySet(ed25519Store(retired));
    // The active key that is a previous one too is what an activation looks like in the middle.
    expect(await loadKeySet(store)).toEqual({ active, next, previous: [other] });
  });

  it.each(['next', 'previous'])('gets no key if the active one is missing beside a %s one', async (role) => {
    await loadKeySet(store);
    await rename(file, `${file}.${role}`);
    await expect(loadKeySet(store)).rejects.toThrow(
      `TEST_KEY_FILE: ${file} is missing, although ${file}.${role} is there: restore it, or rename the file of the key that should sign`,
    );
    expect(await readdir(path.dirname(file))).toEqual([`test.pem.${role}`]);
  });

  it.each(['', '.previous'])('refuses a next key that is the same as %s', async (suffix) => {
    await loadKeySet(store);
    await copyFile(await otherKey(), `${file}.next`);
    await copyFile(`${file}.next`, `${file}${suffix}`);
    await expect(loadKeySet(store)).rejects.toMatchObject({
      code: 'configuration_invalid',
      message: `TEST_KEY_FILE: ${file}.next and ${file}${suffix} hold the same key: remove ${file}.next`,
    });
  });
});

describe('a file that is not a key', () => {
  const cases: [string, (at: string) => Promise<unknown>, string][] = [
    ['something else', (at) => writeFile(at, 'not a key'), 'holds no key in PEM'],
    ['nothing', (at) => writeFile(at, ''), 'is empty'],
    ['white space', (at) => writeFile(at, '\n\n'), 'is empty'],
    ['far too much', (at) => writeFile(at, 'x'.repeat(65 * 1024)), 'has more than 64 KiB'],
    ['a folder', (at) => mkdir(at), 'is not a regular file'],
    [
      'a pipe that nobody writes to',
      (at) => Promise.resolve(execFileSync('mkfifo', ['-m', '600', at])),
      'is not a regular file',
    ],
  ];

  it.each(
    cases.flatMap(([what, make, fault]) => ['', '.next', '.previous'].map((at) => [what, at, make, fault] as const)),
  )(
    'but %s is refused at %s with a sentence that names the setting and the file',
    async (_what, suffix, make, fault) => {
      await loadKeySet(store);
      const at = `${file}${suffix}`;
      await rm(at, { force: true });
      await make(at);
      await expect(loadKeySet(store)).rejects.toMatchObject({
        code: 'configuration_invalid',
        message: `TEST_KEY_FILE: ${at} ${fault}`,
      });
    },
  );

  it.each([0o644, 0o604, 0o660, 0o666])(
    'readable by others than its owner (mode %o) is refused in any role',
    async (mode) => {
      await loadKeySet(store);
      await addKey(store);
      await copyFile(await otherKey(), `${file}.previous`);
      for (const suffix of ['', '.next', '.previous']) {
        await chmod(`${file}${suffix}`, mode);
        await expect(loadKeySet(store)).rejects.toThrow(
          `TEST_KEY_FILE: ${file}${suffix} can be read or changed by others (mode ${mode.toString(8)}): chmod 600`,
        );
        await chmod(`${file}${suffix}`, 0o600);
      }
    },
  );

  it('can be read by the group of its owner, as secrets of Kubernetes are', async () => {
    const before = await loadKeySet(store);
    await chmod(file, 0o440);
    expect(await loadKeySet(store)).toEqual(before);
  });

  it('cannot be created below a file', async () => {
    await writeFile(path.join(folder.path, 'keys'), '');
    await expect(loadKeySet(store)).rejects.toThrow(/^TEST_KEY_FILE: .*test\.pem.* cannot be read \(ENOTDIR\)$/u);
  });
});
