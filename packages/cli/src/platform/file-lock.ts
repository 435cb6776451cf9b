import { open, rm, stat } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { UsageError } from '../command.ts';

const patienceMs = 30_000;
/** A holder that was killed leaves its lock: none is held for longer than a request may take. */
const staleMs = 90_000;

/** Runs `action` while no other process holds the lock of `file`, which is a file beside it. */
export async function withLock<T>(file: string, action: () => Promise<T>): Promise<T> {
  const lock = `${file}.lock`;
  const deadline = Date.now() + patienceMs;
  while (!(await take(lock))) {
    if (Date.now() > deadline) throw new UsageError(`${lock} is held by another process; remove it if there is none`);
    await setTimeout(20 + Math.random() * 30);
  }
  try {
    return await action();
  } finally {
    await rm(lock, { force: true });
  }
}

async function take(lock: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', 0o600);
    await handle.close();
    return true;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    const held = await stat(lock).catch(() => undefined);
    if (held && Date.now() - held.mtimeMs > staleMs) await rm(lock, { force: true });
    return false;
  }
}
