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

/** What the anchors of the log remember. */
export interface AnchoredStates {
  /** What was found wrong while the service runs. Nothing is recorded until it is no longer so. */
  readonly contradiction: string | undefined;
  /** Compares a log that this process has not written with what the anchors remembered when they were last read. */
  compare(stored: Checkpoint | undefined, hashes: HashSource): Promise<string | undefined>;
}

/** A state of a log that was signed, as far as it is known: of some only the size. */
export interface SignedState {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer | undefined;
}

/**
 * The reason why the log of a database is not a continuation of a state that was signed; `undefined` if it is. `place`
 * says where the state is remembered.
 */
export async function findContradiction(
  signed: SignedState,
  stored: Checkpoint | undefined,
  { hashes, place }: { readonly hashes: HashSource; readonly place?: string },
): Promise<string | undefined> {
  const { origin, size, root } = signed;
  if (size === 0) return undefined;
  const known = `${size} records of ${origin} were signed${place === undefined ? '' : `, as ${place} remembers`}`;
  if (!stored) return `${known}, but the database has no audit log: it was wiped or replaced`;
  if (stored.origin !== origin) return `${known}, but the database has the log ${stored.origin}: it was replaced`;
  if (stored.size < size)
    return `${known}, but in the database it ends at record ${stored.size}: it was set back to an older state`;
  if (!root) return undefined;
  const proof = await proveConsistency(hashes, size, stored.size).catch(() => undefined);
  if (proof && isConsistent({ size, root }, stored, proof)) return undefined;
  return `${known}, but the database has other ones among its first ${size}: it continues from an older state, or was altered`;
}
