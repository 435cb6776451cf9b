import type { HashSource } from '../tree/tree-proofs.ts';
import { findContradiction, type Remembered } from './checkpoint-memory.ts';
import type { OpenedLog } from './open-head.ts';

/**
 * The sentence with which a writer refuses the log of a database; `undefined` if the log continues both what is
 * remembered outside of the database and what this process has written last.
 */
export async function findRefusal(options: {
  readonly remembered: Remembered | undefined;
  readonly latest: OpenedLog | undefined;
  readonly stored: OpenedLog | undefined;
  readonly hashes: HashSource;
}): Promise<string | undefined> {
  const { remembered, latest, stored, hashes } = options;
  for (const known of [remembered, latest]) {
    const found = known && (await findContradiction(known.checkpoint, stored?.checkpoint, { hashes }));
    if (found !== undefined) return refusalOf(found);
  }
  return undefined;
}

/** The sentence with which a log is not continued because of a contradiction. */
export function refusalOf(contradiction: string): string {
  return `The audit log is not continued: ${contradiction}. Restore the database, or accept its state with \`waybill audit accept-restore\` (docs/audit.md)`;
}
