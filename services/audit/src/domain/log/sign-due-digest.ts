import { signHead } from '../chain/signed-head.ts';
import { hashDigest, signDigest, type Digest } from '../digests/digest.ts';
import { merkleRoot } from '../digests/merkle-root.ts';
import type { Signer } from '../keys/signer.ts';
import type { TrustedKeys } from '../keys/trusted-keys.ts';
import { lockTrustedHead } from './lock-trusted-head.ts';
import type { RecordLog } from './record-log.ts';

/** How often digests are signed. */
export interface DigestPace {
  /** Minimum time between two digests... */
  readonly intervalMs: number;
  /** ... unless this many records wait for one. It is the maximum number of records in a digest. */
  readonly maxRecords: number;
}

/**
 * Signs a digest if one is due, and returns it. @throws Error if the head cannot be trusted, or if records that it
 * counts are missing
 */
export async function signDueDigest(options: {
  log: RecordLog;
  signer: Signer;
  trusted: TrustedKeys;
  pace: DigestPace;
  now: Date;
}): Promise<Digest | undefined> {
  const { log, signer, trusted, pace, now } = options;
  const head = await lockTrustedHead(log, trusted);
  const waiting = head.sequence - head.digestedSequence;
  if (waiting === 0) return undefined;
  if (waiting < pace.maxRecords) {
    const last = await log.findDigest(head.digestNumber);
    if (last && now.getTime() - Date.parse(last.signedAt) < pace.intervalMs) return undefined;
  }
  const firstSequence = head.digestedSequence + 1;
  const lastSequence = head.digestedSequence + Math.min(waiting, pace.maxRecords);
  const hashes = await log.readHashes(firstSequence, lastSequence);
  const lastHash = hashes.at(-1);
  if (lastHash === undefined || hashes.length !== lastSequence - firstSequence + 1) {
    throw new Error(`Audit records between ${firstSequence} and ${lastSequence} are missing: no digest can be signed`);
  }
  const digest = signDigest(
    {
      number: head.digestNumber + 1,
      firstSequence,
      lastSequence,
      lastHash,
      merkleRoot: merkleRoot(hashes),
      previousHash: head.digestHash,
      signedAt: now.toISOString(),
    },
    signer,
  );
  await log.appendDigest(digest);
  const moved = {
    ...head,
    digestNumber: digest.number,
    digestHash: hashDigest(digest),
    digestedSequence: lastSequence,
  };
  await log.saveHead(signHead(moved, signer));
  return digest;
}
