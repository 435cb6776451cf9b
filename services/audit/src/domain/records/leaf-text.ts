import type { AuditProducer } from '@waybill/contracts/messages/audit-event';
import { sha256 } from '../tree/tree-hash.ts';
import type { LogRecord, StoredRecord } from './log-record.ts';
import { commitmentsOf, personalFields, type PersonalField } from './personal-fields.ts';

type Members = Readonly<Record<string, string | number | undefined>>;

/**
 * The canonical JSON (RFC 8785) of a record, which is its leaf in the tree. Fields that can contain personal data are
 * in it as salted commitments, so that they can be erased later while all proofs remain valid. The leaf of a record of
 * the former hash chain is the text that the chain hashed. See `docs/audit-log.md`.
 */
export function leafText(record: LogRecord): string {
  const { producer, previousHash } = record;
  const isOfTree = previousHash === null;
  return canonicalText({
    auditCode: record.auditCode,
    auditOperation: record.auditOperation,
    auditTime: record.auditTime,
    clusterId: record.clusterId,
    commitments: isOfTree ? commitmentsOf(record) : undefined,
    // Records of the chain have none.
    context: isOfTree ? undefined : inOrder(record.context),
    correlationId: record.correlationId,
    dfiid: record.dfiid,
    entityType: record.entityType,
    id: record.id,
    module: record.module,
    nodeId: record.nodeId,
    personalHash: isOfTree ? undefined : personalHash(record),
    previousHash: previousHash ?? undefined,
    producer: producerOf(producer),
    recordedAt: isOfTree ? record.recordedAt : undefined,
    sequence: record.sequence,
    version: isOfTree ? 2 : 1,
  });
}

/** A line of an export: the canonical JSON of all fields, from which the leaf can be computed, and the stored hash. */
export function exportLine(record: StoredRecord): string {
  const { previousHash, commitments, context } = record;
  const isOfTree = previousHash === null;
  const [auditMessage, dataoneUser, entityId, entityName] = personalFields.map((name) => shown(record, name));
  return canonicalText({
    auditCode: record.auditCode,
    auditMessage,
    auditOperation: record.auditOperation,
    auditTime: record.auditTime,
    clusterId: record.clusterId,
    commitments: commitments === null ? undefined : inOrder(commitments),
    context: inOrder(context),
    correlationId: record.correlationId,
    dataoneUser,
    dfiid: record.dfiid,
    entityId,
    entityName,
    entityType: record.entityType,
    hash: record.hash,
    id: record.id,
    module: record.module,
    nodeId: record.nodeId,
    previousHash: previousHash ?? undefined,
    producer: producerOf(record.producer),
    recordedAt: isOfTree ? record.recordedAt : undefined,
    salt: record.salt ?? undefined,
    sequence: record.sequence,
    version: isOfTree ? 2 : 1,
  });
}

function shown(record: LogRecord, name: PersonalField): string | undefined {
  const { commitments } = record;
  return commitments?.[name] === undefined && commitments?.['personalHash'] === undefined ? record[name] : undefined;
}

/** The members in canonical order; `undefined` without members. */
function inOrder(members: Members): Members | undefined {
  const names = Object.keys(members);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.toSorted().map((name) => [name, members[name]]));
}

function producerOf(producer: AuditProducer | null): AuditProducer | undefined {
  if (producer === null) return undefined;
  const { id, number, settled, voided } = producer;
  return voided === undefined ? { id, number, settled } : { id, number, settled, voided };
}

/** In version 1 one salted hash covers all four fields. It is all that is left of them after a redaction. */
function personalHash({ auditMessage, dataoneUser, entityId, entityName, salt, commitments }: LogRecord): string {
  return (
    commitments?.['personalHash'] ?? sha256(JSON.stringify({ auditMessage, dataoneUser, entityId, entityName, salt }))
  );
}

/**
 * The canonical JSON of an object whose members are already in canonical order and whose strings are well-formed: the
 * same as `canonicalJson`, ten times as fast. Absent members are `undefined`. A test compares the two.
 */
function canonicalText(
  ordered: Readonly<Record<string, string | number | null | undefined | Members | AuditProducer>>,
): string {
  return JSON.stringify(ordered);
}
