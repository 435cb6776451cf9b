import type { Checkpoint } from '../checkpoints/checkpoint.ts';
import { isConsistent } from '../tree/is-consistent.ts';
import { type HashSource, proveConsistency } from '../tree/tree-proofs.ts';

/** An operator's decision to continue from a database that contradicts the remembered checkpoint. */
export interface AcceptedRestore {
  /** The checkpoint that was remembered at the time of the decision, a signed note. */
  readonly checkpoint: string;
  readonly user: string;
  readonly reason: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
}

/** What is remembered outside of the database. */
export interface Remembered {
  readonly checkpoint: Checkpoint;
  readonly note: string;
  /** Applies to this checkpoint. */
  readonly accepted: AcceptedRestore | undefined;
}

/** Remembers the last checkpoint outside of the database. */
export interface CheckpointMemory {
  /** @throws Error if something is remembered that cannot be read */
  read(): Promise<Remembered | undefined>;
  /** Remembers a committed checkpoint, soon. An older one than the remembered one is ignored, except after a restore. */
  remember(note: string): void;
}

/** The reason why the log of a database is not a continuation of what is remembered; `undefined` if it is. */
export async function findContradiction(
  remembered: Checkpoint,
  stored: Checkpoint | undefined,
  hashes: HashSource,
): Promise<string | undefined> {
  if (remembered.size === 0) return undefined;
  const known = `${remembered.size} records of ${remembered.origin} were signed`;
  if (!stored) return `${known}, but the database has no audit log: it was wiped or replaced`;
  if (stored.origin !== remembered.origin)
    return `${known}, but the database has the log ${stored.origin}: it was replaced`;
  if (stored.size < remembered.size)
    return `${known}, but in the database it ends at record ${stored.size}: it was set back to an older state`;
  const proof = await proveConsistency(hashes, remembered.size, stored.size).catch(() => undefined);
  if (proof && isConsistent(remembered, stored, proof)) return undefined;
  return `${known}, but the database has other ones among its first ${remembered.size}: it continues from an older state, or was altered`;
}
