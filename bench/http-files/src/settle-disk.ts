import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Waits until the disk has written everything back. */
export async function settleDisk(): Promise<void> {
  await run('sync', [], { timeout: 120_000 });
}
