import { parseCheckpoint, type Checkpoint } from '../checkpoints/checkpoint.ts';
import { signedBy } from '../checkpoints/signed-note.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import { nilId } from '../records/log-record.ts';
import { type CompactRange, emptyRange, extendRange, nodeCountOf, rootOf } from '../tree/compact-range.ts';
import { leafHash } from '../tree/tree-hash.ts';
import type { LogKey, TreeHead } from './record-log.ts';

/** A log whose end was verified: records can be appended to it. */
export interface OpenedLog {
  readonly checkpoint: Checkpoint;
  /** The checkpoint as a signed note; `undefined` if none was signed yet. */
  readonly note: string | undefined;
  /** The key that signed it, base64url. */
  readonly signedBy: string | undefined;
  readonly range: CompactRange;
  /** The id of the last record. */
  readonly lastId: string;
  /** Its `recordedAt`; undefined without records, and in a log that was just imported. */
  readonly lastRecordedAt: string | undefined;
}

/** What is wrong with a stored head. */
export type HeadFault = 'altered' | 'key unknown';

/**
 * Verifies the stored end of the log: a trusted key has signed its checkpoint, and the stored nodes and the last leaf
 * have the root that was signed.
 */
export function openHead(head: TreeHead, trusted: TrustedKeys): OpenedLog | HeadFault {
  const { size, lastLeaf, checkpoint: note } = head;
  const checkpoint = parseCheckpoint(note);
  if (!checkpoint) return 'altered';
  const key = signedBy(note, checkpoint.origin, trusted);
  if (key === undefined) return 'key unknown';
  const range = rangeOf(head);
  if (!range || checkpoint.size !== size || !rootOf(range).equals(checkpoint.root)) return 'altered';
  const { id, recordedAt } = size === 0 ? { id: nilId } : lastOf(lastLeaf);
  return { checkpoint, note, signedBy: key, range, lastId: id, lastRecordedAt: recordedAt };
}

/** The sentence for a fault; the newest known key tells whether it is the reason. */
export function faultSentence(fault: HeadFault, keys: readonly LogKey[], trusted: TrustedKeys): string {
  const newest = keys.at(-1)?.publicKey;
  if (fault === 'key unknown' && newest !== undefined && !trusted.has(newest))
    return `The head of the audit log ${signedByUnknown(newest)}`;
  return 'The head of the audit log was altered: nothing is recorded until it is restored (docs/audit.md)';
}

/** The nodes of the whole tree; `undefined` if the number of stored nodes does not fit the size. */
export function rangeOf({ size, frontier, lastLeaf }: Omit<TreeHead, 'checkpoint'>): CompactRange | undefined {
  if (size === 0) return emptyRange;
  const count = nodeCountOf(size - 1);
  if (frontier.length !== count * 32) return undefined;
  const nodes = Array.from({ length: count }, (_, index) => frontier.subarray(index * 32, (index + 1) * 32));
  return extendRange({ size: size - 1, nodes }, [leafHash(lastLeaf)]).range;
}

/** The leaf is signed, and its writer put the id into it. */
function lastOf(leaf: string): { readonly id: string; readonly recordedAt?: string } {
  return JSON.parse(leaf) as { readonly id: string; readonly recordedAt?: string };
}
