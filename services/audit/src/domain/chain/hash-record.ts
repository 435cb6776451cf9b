import { hash } from 'node:crypto';
import type { ChainedRecord } from './chained-record.ts';

/**
 * The hash of a record: it covers every field, the sequence number and the previous hash. Fields that can contain
 * personal data are included as a separate, salted hash, so that they can be erased later, with the salt, while the
 * chain remains valid. See `docs/audit.md`.
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
 * The canonical JSON of a flat object whose members are already in canonical order and whose strings are
 * well-formed: the same as `canonicalJson`, ten times as fast. A test compares the two.
 */
function canonicalText(ordered: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(ordered);
}

/** The SHA-256 of a text's UTF-8 bytes, or of bytes, in lower-case hexadecimal. */
export function sha256(content: string | Buffer): string {
  return hash('sha256', content, 'hex');
}
