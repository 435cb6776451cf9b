import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The key pair that the client logs in with. */
export interface LoginKey {
  readonly identityFile: string;
  /** A line of `authorized_keys`. */
  readonly publicKey: string;
}

/** Generates an ed25519 key without a passphrase. */
export async function createLoginKey(folder: string): Promise<LoginKey> {
  const identityFile = join(folder, 'id_ed25519');
  await promisify(execFile)('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'bench', '-f', identityFile]);
  return { identityFile, publicKey: (await readFile(`${identityFile}.pub`, 'utf8')).trim() };
}
