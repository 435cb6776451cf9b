import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hasCode } from '@waybill/signing-keys/key-file';

/**
 * Replaces a file (mode 600): a reader finds the old or the new content, after a crash of the machine as well.
 * @throws Error with a sentence that names the file
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const folder = path.dirname(file);
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await rename(draft, file);
    await using handle = await open(folder, 'r');
    await handle.sync();
  } catch (error) {
    await rm(draft, { force: true });
    throw new Error(`${file} cannot be written`, { cause: error });
  }
}

/** The content of a file; `undefined` if it does not exist. @throws Error with a sentence that names the file */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new Error(`${file} cannot be read`, { cause: error });
  }
}
