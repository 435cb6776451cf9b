import { open } from 'node:fs/promises';

/** The reason why a service ended is in its last few lines. */
const readAtMost = 64 * 1024;

/** The end of the log before a process starts: its lines begin there. */
export async function logEnd(logFile: string): Promise<number> {
  await using file = await open(logFile, 'a', 0o600);
  const { size } = await file.stat();
  return size;
}

/**
 * The last plain sentence that a service wrote since its log was `start` bytes long, without its prefix: why it
 * could not start. All other lines are JSON. Undefined if there is none.
 */
export async function lastWords(
  logFile: string,
  { name, start }: { name: string; start: number },
): Promise<string | undefined> {
  await using file = await open(logFile, 'r');
  const { size } = await file.stat();
  const from = Math.max(start, size - readAtMost);
  const { buffer } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - from)), position: from });
  const prefix = `${name}: `;
  const line = buffer
    .toString('utf8')
    .split('\n')
    .findLast((each) => each.startsWith(prefix));
  return line?.slice(prefix.length).replace(/^could not start: /u, '');
}
