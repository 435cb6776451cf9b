import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { isHeadSigned, type ChainHead } from '../chain/chain-head.ts';
import { signedByUnknown, type TrustedKeys } from '../keys/trusted-keys.ts';
import { leafText } from '../records/leaf-text.ts';
import type { IdentifiedEvent, StoredRecord } from '../records/log-record.ts';
import { type CompactRange, emptyRange, extendRange } from '../tree/compact-range.ts';
import { leafHash, sha256 } from '../tree/tree-hash.ts';
import type { WriterIdentity } from './log-events.ts';
import type { RecordLog } from './record-log.ts';

/** The records of a hash chain as the beginning of a tree. */
export interface ImportedChain {
  readonly range: CompactRange;
  readonly lastId: string;
  /** Records that are not what was hashed, or do not follow the one before them. */
  readonly faults: number;
}

/**
 * Makes the records of the former hash chain the first leaves of the tree.
 * @throws Error if the head of the chain cannot be trusted, or if the records do not end where it says
 */
export async function importChain(log: RecordLog, head: ChainHead, trusted: TrustedKeys): Promise<ImportedChain> {
  if (!isHeadSigned(head, trusted)) {
    const until = 'was altered: nothing is recorded until it is restored (docs/audit.md)';
    throw new Error(
      `The head of the audit log ${trusted.has(head.publicKey) ? until : signedByUnknown(head.publicKey)}`,
    );
  }
  if (await log.hasRecordsAfter(head.sequence)) throw new Error(missing(head.sequence));
  let range = emptyRange;
  let faults = 0;
  let last: Pick<StoredRecord, 'id' | 'hash'> = { id: '', hash: '0'.repeat(64) };
  for await (const records of log.readChain(head.sequence)) {
    const leafHashes: Buffer[] = [];
    const first = range.size;
    for (const [index, record] of records.entries()) {
      if (record.sequence !== first + index + 1) throw new Error(missing(first + index + 1));
      const text = leafText(record);
      if (sha256(text) !== record.hash || record.previousHash !== last.hash) faults += 1;
      leafHashes.push(leafHash(text));
      last = record;
    }
    const extended = extendRange(range, leafHashes);
    await log.appendNodes([
      ...leafHashes.map((hash, index) => ({ level: 0, number: first + index, hash })),
      ...extended.completed,
    ]);
    range = extended.range;
  }
  if (range.size !== head.sequence || last.hash !== head.recordHash) throw new Error(missing(range.size));
  return { range, lastId: last.id, faults };
}

/** The record of an import. It carries the former head, so that the end of the chain is in the tree. */
export function importEvent(
  { range, faults }: ImportedChain,
  { head, nodeId, managerName }: WriterIdentity & { head: ChainHead },
): IdentifiedEvent {
  const payload = composeAuditEvent('auditLogImported', {
    user: '',
    nodeId,
    managerName,
    entityType: 'Audit log',
    entityName: `${head.digestNumber} ${head.digestHash}`,
    entityId: head.recordHash,
    names: {
      records: String(range.size),
      key: head.publicKey,
      signature: head.signature,
      faults: String(faults),
    },
  });
  return { id: uuidV7(), payload };
}

function missing(sequence: number): string {
  return `The audit log cannot be continued: its records do not match its head at record ${sequence}. Nothing is recorded until it is restored (docs/audit.md)`;
}
