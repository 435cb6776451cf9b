import { readFile, writeFile } from 'node:fs/promises';
import { generateSshKey } from '@waybill/ssh-keys/generate-ssh-key';

/**
 * The key pair that logs in as the demo partner, kept in `file` (mode 600) and `file.pub`.
 *
 * @returns the public key as one line
 */
export async function ensureDemoKey(file: string): Promise<string> {
  const kept = await readFile(`${file}.pub`, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept.trim();
  const { privateKey, publicKey } = await generateSshKey('ed25519', 'acme@waybill-demo');
  await writeFile(file, privateKey, { mode: 0o600 });
  await writeFile(`${file}.pub`, `${publicKey}\n`);
  return publicKey;
}
