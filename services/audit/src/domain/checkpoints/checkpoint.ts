import type { TreeSize } from '../tree/is-consistent.ts';
import { noteText } from './signed-note.ts';

/** The state of a log (C2SP tlog-checkpoint): which log, its number of records, and the root of its tree. */
export interface Checkpoint extends TreeSize {
  /** Names the platform and the log; it is also the name of the log's keys. */
  readonly origin: string;
}

const pattern = /^([^\n]+)\n(0|[1-9]\d{0,15})\n([\d+/A-Za-z]{43}=)\n/u;

/** The text that is signed. */
export function checkpointText({ origin, size, root }: Checkpoint): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`;
}

/** The checkpoint in a signed note, whose signatures are not checked; `undefined` if it has none. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const [, origin, size, root = ''] = pattern.exec(noteText(note) ?? '') ?? [];
  return origin === undefined ? undefined : { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}
