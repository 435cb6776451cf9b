import { readFile } from 'node:fs/promises';
import { parseLogKey, type VerifierKey } from './verifier-key.ts';

/** The logs that a witness cosigns: the keys of each origin. */
export type KnownLogs = ReadonlyMap<string, readonly VerifierKey[]>;

/**
 * Reads the file of known logs. A line is the verifier key of a log, followed by the origin if that is not the name of
 * the key. A log with several keys has several lines. Empty lines and lines that begin with `#` are ignored.
 * @throws Error with a sentence that names the file and the line
 */
export async function readKnownLogs(file: string): Promise<KnownLogs> {
  return parseKnownLogs(await readFile(file, 'utf8'), file);
}

/** As `readKnownLogs`, from the content of the file. */
export function parseKnownLogs(text: string, file: string): KnownLogs {
  const logs = new Map<string, VerifierKey[]>();
  for (const [index, line] of text.split(/\r?\n/u).entries()) {
    const [keyText = '', ...rest] = line.trim().split(' ');
    if (keyText === '' || keyText.startsWith('#')) continue;
    const key = parseOrExplain(keyText, `${file} line ${index + 1}`);
    const origin = rest.join(' ').trim() || key.name;
    logs.set(origin, [...(logs.get(origin) ?? []), key]);
  }
  if (logs.size === 0) throw new Error(`${file} names no log: write the verifier key of a log into it`);
  return logs;
}

function parseOrExplain(text: string, place: string): VerifierKey {
  try {
    return parseLogKey(text);
  } catch (cause) {
    throw new Error(`${place} ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
