import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll } from 'vitest';

const keyGenerator = 'ssh-keygen';

/** `ssh-keygen` for the tests of this file. */
export function opensshKeys() {
  let folder: TestFolder;
  let number = 0;
  beforeAll(async () => {
    folder = await createTestFolder();
  });
  afterAll(() => folder?.remove());
  const next = (): string => path.join(folder.path, `key-${(number += 1)}`);
  const run = (...args: string[]): string => execFileSync(keyGenerator, args, { encoding: 'utf8' }).trim();
  return {
    /** Generates a key with these options; returns its file, and its public key without a comment. */
    generate: async (...options: readonly string[]) => {
      const file = next();
      run('-q', ...options, '-C', 'another', '-f', file);
      const [text, line] = [await readFile(file, 'utf8'), await readFile(`${file}.pub`, 'utf8')];
      return { text, publicKey: line.split(' ').slice(0, 2).join(' ') };
    },
    /** What OpenSSH says of a private key. */
    describe: async (privateKey: string) => {
      const file = next();
      await writeFile(file, privateKey, { mode: 0o600 });
      return { publicKey: run('-y', '-f', file), fingerprint: run('-lf', file).split(' ')[1] ?? '' };
    },
  };
}
