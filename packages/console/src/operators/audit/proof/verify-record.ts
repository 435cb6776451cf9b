import type { JsonObject } from './canonical-json.ts';
import { cosignersOf, type KeyValidity, parseCheckpoint, signerOf } from './checkpoint.ts';
import { bytesOf, hexOf } from './hashes.ts';
import { leafHash, parseProof, rootOf } from './inclusion.ts';
import { leafOf } from './record-leaf.ts';

/** What a verification has computed. All checks are made, whatever comes of the first ones. */
export interface RecordVerification {
  /** The number of the record is that of its leaf. */
  readonly isAtItsPlace: boolean;
  /** The proof leads from the record to the root of the checkpoint. */
  readonly isIncluded: boolean;
  /** The key of the log that has signed the checkpoint; undefined if none has. */
  readonly signer: string | undefined;
  readonly leafHash: string;
  readonly checkpoint: { readonly origin: string; readonly size: number; readonly cosigners: readonly string[] };
}

/** Whether all is right. */
export function isVerified({ isAtItsPlace, isIncluded, signer }: RecordVerification): boolean {
  return isAtItsPlace && isIncluded && signer !== undefined;
}

/**
 * Verifies a record of an export with its proof, computing everything from the record: the hash of its leaf, the root of the
 * tree, and the signature of the checkpoint. Undefined if the proof has another form.
 */
export async function verifyRecord(
  record: JsonObject,
  proofText: string,
  keys: readonly KeyValidity[],
): Promise<RecordVerification | undefined> {
  const proof = parseProof(proofText);
  const checkpoint = proof && parseCheckpoint(proof.checkpoint);
  if (proof === undefined || checkpoint === undefined) return undefined;
  const leaf = await leafHash(bytesOf(await leafOf(record)));
  const root = await rootOf(leaf, proof, checkpoint.size);
  return {
    isAtItsPlace: record['sequence'] === proof.index + 1,
    isIncluded: root !== undefined && hexOf(root) === hexOf(checkpoint.root),
    signer: await signerOf(checkpoint, keys),
    leafHash: hexOf(leaf),
    checkpoint: { origin: checkpoint.origin, size: checkpoint.size, cosigners: cosignersOf(checkpoint) },
  };
}
