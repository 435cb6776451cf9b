import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** More than any key needs. A larger file is not a key file. */
const fileLimitBytes = 64 * 1024;
/** Only the owner may change a private key, and only the owner's group may read it. */
const forbiddenMode = 0o037;

/**
 * The content of a key file; `undefined` if there is none.
 * @throws Error with one sentence that names the file and never its content
 */
export async function readKeyFile(file: string): Promise<string | undefined> {
  try {
    // Without O_NONBLOCK opening a pipe that has no writer would wait for ever.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const status = await handle.stat();
    if (!status.isFile()) throw new Error(`${file} is not a regular file`);
    if (status.size > fileLimitBytes) throw new Error(`${file} has more than ${fileLimitBytes / 1024} KiB`);
    const text = await handle.readFile('utf8');
    if (text.trim() === '') throw new Error(`${file} is empty`);
    const mode = status.mode & 0o777;
    if (/PRIVATE KEY/u.test(text) && (mode & forbiddenMode) !== 0) {
      throw new Error(`${file} can be read or changed by others (mode ${mode.toString(8)}): chmod 600`);
    }
    return text;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (error instanceof Error && 'code' in error) {
      throw new Error(`${file} cannot be read (${String(error.code)})`, { cause: error });
    }
    throw error;
  }
}

/**
 * Creates a key file (mode 600) atomically. If several processes create it at the same time, one succeeds; the
 * others get false.
 * @throws Error with one sentence that names the file
 */
export async function makeKeyFile(file: string, text: string): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      if (await isLinkToNothing(file)) {
        throw new Error(`${file} is a symbolic link to a file that does not exist: remove the link`, { cause: error });
      }
      return false;
    }
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new Error(`${file} cannot be created (${code})`, { cause: error });
  } finally {
    await rm(draft, { force: true });
  }
}

async function isLinkToNothing(file: string): Promise<boolean> {
  try {
    if (!(await lstat(file)).isSymbolicLink()) return false;
    await stat(file);
    return false;
  } catch (error) {
    // A link to itself has no target either. A file whose status cannot be read counts as existing.
    return hasCode(error, 'ENOENT') || hasCode(error, 'ELOOP');
  }
}

/** True for an error of the file system with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
