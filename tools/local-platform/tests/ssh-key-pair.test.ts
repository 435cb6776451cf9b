import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { expect, it } from 'vitest';
import { generateSshKeyPair } from '../src/configuration/ssh-key-pair.ts';

const run = promisify(execFile);

it('generates a private key from which OpenSSH derives the same public key', async () => {
  await using folder = await createTestFolder();
  const file = path.join(folder.path, 'key');
  for (const comment of ['a', 'acme@example', 'twelve chars']) {
    const { privateKey, publicKey } = generateSshKeyPair(comment);
    await writeFile(file, privateKey, { mode: 0o600 });
    const { stdout } = await run('ssh-keygen', ['-y', '-f', file]);
    expect(stdout.trim()).toBe(publicKey);
  }
});
