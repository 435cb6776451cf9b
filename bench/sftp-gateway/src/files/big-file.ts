import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';

/** The file of the transfers, by its name on the servers. */
export const bigFile = { name: 'gibibyte', mebibytes: 1024, bytes: 1024 ** 3 };

/** Writes a big file of random bytes. */
export async function writeBigFile(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let part = 0; part < bigFile.mebibytes; part += 1) await file.write(randomBytes(1024 * 1024));
}
