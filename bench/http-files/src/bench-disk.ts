import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';

const blockBytes = 64 * 1024 * 1024;

/** Writes a file of incompressible bytes, and returns its path. */
export async function makeContent(path: string, mebibytes: number): Promise<string> {
  await using file = await open(path, 'w');
  const block = randomBytes(blockBytes);
  let left = mebibytes * 1024 * 1024;
  for (; left > 0; left -= blockBytes) await file.write(block, 0, Math.min(left, blockBytes));
  await file.sync();
  return path;
}

const run = promisify(execFile);

/** Waits until the disk has written everything back. */
export async function settleDisk(): Promise<void> {
  await run('sync', [], { timeout: 120_000 });
}
