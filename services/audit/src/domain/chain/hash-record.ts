import { sha256 } from '../sha256.ts';
import type { ChainedRecord } from './chained-record.ts';

/**
 * The hash of a record: it covers every field, the sequence number and the hash before it. Fields that can hold personal
 * values go in as a salted hash of their own, so that they can be blanked one day, salt and all, while the chain holds.
 * `docs/audit.md` tells the same in words.
 */
export function hashRecord(record: Omit<ChainedRecord, 'hash'>): string {
  return sha256(
    canonicalText({
      auditCode: record.auditCode,
      auditOperation: record.auditOperation,
      auditTime: record.auditTime,
      clusterId: record.clusterId,
      correlationId: record.correlationId,
      dfiid: record.dfiid,
      entityType: record.entityType,
      id: record.id,
      module: record.module,
      nodeId: record.nodeId,
      personalHash: personalHash(record),
      previousHash: record.previousHash,
      sequence: record.sequence,
      version: 1,
    }),
  );
}

function personalHash({ auditMessage, dataoneUser, entityId, entityName, salt }: Omit<ChainedRecord, 'hash'>): string {
  return sha256(canonicalText({ auditMessage, dataoneUser, entityId, entityName, salt }));
}

/**
 * The canonical JSON of a flat object whose members stand in canonical order already and whose strings are well-formed:
 * what `canonicalJson` would write, ten times as fast. A test holds the two together.
 */
function canonicalText(ordered: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(ordered);
}
