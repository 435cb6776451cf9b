import { sha256 } from '../tree/tree-hash.ts';
import type { LogRecord, StoredRecord } from './log-record.ts';

/**
 * The canonical JSON (RFC 8785) of a record, which is its leaf in the tree. Fields that can contain personal data are
 * in it as one salted hash, so that they can be erased later, with the salt, while all proofs remain valid. The leaf
 * of a record of the former hash chain is the text that the chain hashed. See `docs/audit-log.md`.
 */
export function leafText(record: LogRecord): string {
  return canonicalText({
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
    ...(record.previousHash === null ? { recordedAt: record.recordedAt } : { previousHash: record.previousHash }),
    sequence: record.sequence,
    version: record.previousHash === null ? 2 : 1,
  });
}

/** A line of an export: the canonical JSON of all fields, from which the leaf can be computed, and the stored hash. */
export function exportLine(record: StoredRecord): string {
  return canonicalText({
    auditCode: record.auditCode,
    auditMessage: record.auditMessage,
    auditOperation: record.auditOperation,
    auditTime: record.auditTime,
    clusterId: record.clusterId,
    correlationId: record.correlationId,
    dataoneUser: record.dataoneUser,
    dfiid: record.dfiid,
    entityId: record.entityId,
    entityName: record.entityName,
    entityType: record.entityType,
    hash: record.hash,
    id: record.id,
    module: record.module,
    nodeId: record.nodeId,
    ...(record.previousHash === null ? { recordedAt: record.recordedAt } : { previousHash: record.previousHash }),
    salt: record.salt,
    sequence: record.sequence,
    version: record.previousHash === null ? 2 : 1,
  });
}

function personalHash({ auditMessage, dataoneUser, entityId, entityName, salt }: LogRecord): string {
  return sha256(canonicalText({ auditMessage, dataoneUser, entityId, entityName, salt }));
}

/**
 * The canonical JSON of a flat object whose members are already in canonical order and whose strings are
 * well-formed: the same as `canonicalJson`, ten times as fast. A test compares the two.
 */
function canonicalText(ordered: Readonly<Record<string, string | number | null>>): string {
  return JSON.stringify(ordered);
}
