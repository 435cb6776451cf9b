import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of each small file. */
export const smallFileBytes = 4096;

/** Creates a folder with this many small files. */
export async function writeSmallFiles(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const content = randomBytes(smallFileBytes);
  for (let file = 0; file < count; file += 1) await writeFile(join(folder, `file-${file}.bin`), content);
}
