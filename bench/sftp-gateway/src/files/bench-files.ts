import { randomBytes } from 'node:crypto';
import { open, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of the transfers, by its name on the servers. */
export const bigFile = { name: 'gibibyte', mebibytes: 1024, bytes: 1024 ** 3 };

/** Writes a big file of random bytes. */
export async function writeBigFile(path: string): Promise<void> {
  await using file = await open(path, 'w');
  for (let part = 0; part < bigFile.mebibytes; part += 1) await file.write(randomBytes(1024 * 1024));
}

/** Of each small file. */
export const smallFileBytes = 4096;

/** Creates a folder with this many small files. */
export async function writeSmallFiles(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const content = randomBytes(smallFileBytes);
  for (let file = 0; file < count; file += 1) await writeFile(join(folder, `file-${file}.bin`), content);
}
