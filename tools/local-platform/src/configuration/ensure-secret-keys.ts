import { open } from 'node:fs/promises';
import { newKeyRingEntry } from '@waybill/secrets/key-ring';

/**
 * Creates the file with the keys of the stored secrets (mode 600), unless there is one: a key that is replaced is lost with
 * every secret that it encrypts. Rotation changes the file by hand; see docs/secrets.md.
 */
export async function ensureSecretKeys(file: string): Promise<void> {
  try {
    await using handle = await open(file, 'wx', 0o600);
    await handle.writeFile(`${newKeyRingEntry()}\n`);
    await handle.sync();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return;
    throw error;
  }
}
