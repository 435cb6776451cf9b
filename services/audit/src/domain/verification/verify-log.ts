import type { AuditVerification } from '@waybill/contracts/endpoints/audit-logs/verify-audit-record';
import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import { type Checkpoint, parseCheckpoint } from '../checkpoints/checkpoint.ts';
import { signedBy, verifierKey } from '../checkpoints/signed-note.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import { rangeOf } from '../log/open-head.ts';
import type { LogKey, TreeHead } from '../log/record-log.ts';
import type { StoredRecord } from '../records/log-record.ts';
import type { HashSource } from '../tree/tree-proofs.ts';
import { createFindings, type Findings } from './findings.ts';
import { createRecordCheck } from './record-check.ts';
import { createTreeCheck } from './tree-check.ts';

/** The source of consistent snapshots of the audit log. */
export interface SnapshotSource {
  /** Calls `use` with one state of the audit log. Rejects when `signal` fires. */
  read<T>(use: (snapshot: LogSnapshot) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** One state of the audit log, read once from its beginning. */
export interface LogSnapshot {
  readonly head: TreeHead | undefined;
  readonly keys: readonly LogKey[];
  /** Batches, in order of sequence numbers. */
  readonly records: AsyncIterable<readonly StoredRecord[]>;
  readonly hashes: HashSource;
}

/** The number of findings returned in full. */
const findingsAtMost = 100;

/**
 * Computes the tree from the records, and compares it with the stored nodes, with the signed checkpoint, and with the
 * checkpoint that is remembered outside of the database. Memory does not grow with the log.
 */
export async function verifyLog(options: {
  snapshot: LogSnapshot;
  trusted: TrustedKeys;
  remembered: Checkpoint | undefined;
  now: Date;
}): Promise<AuditVerification> {
  const { snapshot, trusted, remembered, now } = options;
  const { head, hashes } = snapshot;
  const findings = createFindings(findingsAtMost);
  const records = createRecordCheck(findings);
  const tree = createTreeCheck({ hashes, findings, remembered });
  let recordCount = 0;
  const keys = createKeyCheck(findings);
  for await (const batch of snapshot.records) {
    await tree.take(batch.map((record) => records.take(record)));
    recordCount += batch.length;
    keys.take(batch);
  }
  const checkpoint = head && parseCheckpoint(head.checkpoint);
  if (head) checkSignature({ head, checkpoint, keyInForce: keys.inForce, keys: snapshot.keys, trusted }, findings);
  else if (recordCount > 0) findings.add('checkpoint_missing', recordCount, 'The signed checkpoint is missing');
  tree.end(checkpoint, head && rangeOf(head));
  return {
    intact: findings.count === 0,
    verifiedAt: now.toISOString(),
    records: recordCount,
    lastSequence: records.last.sequence,
    checkpoint: head?.checkpoint ?? '',
    findings: [...findings.first],
    findingCount: findings.count,
  };
}

/** Follows the records of changed keys: a retired key must not be used again. */
function createKeyCheck(findings: Findings) {
  const retired = new Set<string>();
  let inForce: string | undefined;
  return {
    /** The verifier key that signs since the last change; `undefined` without changes. */
    get inForce() {
      return inForce;
    },
    take: (records: readonly StoredRecord[]): void => {
      for (const { auditCode, entityName, entityId, sequence } of records) {
        if (auditCode !== auditCatalogue.auditKeyChanged.code) continue;
        if (retired.has(entityName))
          findings.add('checkpoint_key_retired', sequence, `Since record ${sequence} a retired key signs again`);
        retired.add(entityId);
        inForce = entityName;
      }
    },
  };
}

function checkSignature(
  log: {
    head: TreeHead;
    checkpoint: Checkpoint | undefined;
    keyInForce: string | undefined;
    keys: readonly LogKey[];
    trusted: TrustedKeys;
  },
  findings: Findings,
): void {
  const { head, checkpoint, keyInForce, keys, trusted } = log;
  const key = checkpoint && signedBy(head.checkpoint, checkpoint.origin, trusted);
  const newest = keys.at(-1)?.publicKey;
  if (checkpoint && key !== undefined && checkpoint.size === head.size) {
    if (keyInForce === undefined || verifierKey(checkpoint.origin, key) === keyInForce) return;
    findings.add('checkpoint_key_retired', head.size, `The checkpoint was signed by ${key}, which was retired`);
  } else if (checkpoint && key === undefined && newest !== undefined && !trusted.has(newest)) {
    findings.add('checkpoint_key_unknown', head.size, `The checkpoint ${signedByUnknown(newest)}`);
  } else {
    findings.add('checkpoint_altered', head.size, 'The checkpoint is not what was signed');
  }
}
