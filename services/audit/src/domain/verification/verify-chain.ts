import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import type { ChainedRecord } from '../chain/chained-record.ts';
import { isHeadSigned, type SignedHead } from '../chain/signed-head.ts';
import type { Digest } from '../digests/digest.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import { createChainCheck } from './chain-check.ts';
import { createDigestCheck } from './digest-check.ts';
import { createFindings } from './findings.ts';

/** The source of consistent snapshots of the audit log. */
export interface SnapshotSource {
  /** Calls `use` with one state of the audit log. Rejects when `signal` fires. */
  read<T>(use: (snapshot: RecordSnapshot) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** One state of the audit log, read once from its beginning. */
export interface RecordSnapshot {
  readonly head: SignedHead | undefined;
  /** Batches, in order of sequence numbers. */
  readonly records: AsyncIterable<readonly ChainedRecord[]>;
  /** In order of their numbers. */
  readonly digests: AsyncIterable<Digest, undefined>;
}

/** The number of findings returned in full. */
const findingsAtMost = 100;

/**
 * Checks that every record matches its hash and follows the previous one, that the log ends at its signed head, and
 * that every digest is signed and agrees with the records. Memory does not grow with the log.
 */
export async function verifyChain(options: {
  snapshot: RecordSnapshot;
  trusted: TrustedKeys;
  now: Date;
}): Promise<AuditVerification> {
  const { snapshot, trusted, now } = options;
  const { head, records } = snapshot;
  const findings = createFindings(findingsAtMost);
  const chain = createChainCheck(findings);
  const digests = createDigestCheck({ digests: snapshot.digests[Symbol.asyncIterator](), trusted, findings });
  let recordCount = 0;
  for await (const batch of records) {
    for (const record of batch) chain.take(record);
    await digests.take(batch);
    recordCount += batch.length;
  }
  if (head && !isHeadSigned(head, trusted)) {
    if (trusted.has(head.publicKey)) {
      findings.add('head_altered', head.sequence, 'The head of the record is not what was signed');
    } else {
      findings.add('head_key_unknown', head.sequence, `The head of the record ${signedByUnknown(head.publicKey)}`);
    }
  }
  chain.end(head);
  await digests.end(head);
  return {
    intact: findings.count === 0,
    verifiedAt: now.toISOString(),
    records: recordCount,
    digests: digests.count,
    lastSequence: chain.last.sequence,
    lastHash: chain.last.hash,
    findings: [...findings.first],
    findingCount: findings.count,
  };
}
