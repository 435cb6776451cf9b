import { readFile } from 'node:fs/promises';

const endChars = 4_000;

/** The last lines of a text file; empty if it cannot be read. */
export async function endOfFile(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text.slice(-endChars);
}
