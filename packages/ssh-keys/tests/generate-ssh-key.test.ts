import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { sshKeyKinds } from '@waybill/contracts/configuration/connections/ssh-key-kind';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import ssh2 from 'ssh2';
import { expect, it } from 'vitest';
import { generateSshKey } from '../src/generate-ssh-key.ts';

const run = promisify(execFile);

it.each(sshKeyKinds)('generates a private %s key from which OpenSSH derives the same public key', async (kind) => {
  await using folder = await createTestFolder();
  const file = path.join(folder.path, 'key');
  for (const comment of ['a', 'acme@example', 'twelve chars']) {
    const { privateKey, publicKey } = await generateSshKey(kind, comment);
    await writeFile(file, privateKey, { mode: 0o600 });
    const { stdout } = await run('ssh-keygen', ['-y', '-f', file]);
    expect(stdout.trim()).toBe(publicKey);
  }
});

it.each(['ed25519', 'ecdsa'] as const)('generates %s keys whose numbers begin or end with any byte', async (kind) => {
  for (let count = 0; count < 400; count += 1) {
    const pair = await generateSshKey(kind, '');
    const [privateKey, publicKey] = [parse(pair.privateKey), parse(pair.publicKey)];
    expect(publicKey.verify(Buffer.from('data'), privateKey.sign(Buffer.from('data')))).toBe(true);
  }
});

function parse(key: string): ssh2.ParsedKey {
  const parsed = ssh2.utils.parseKey(key);
  if (parsed instanceof Error) throw parsed;
  return parsed;
}
