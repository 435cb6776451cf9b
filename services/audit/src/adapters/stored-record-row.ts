import type { AuditProducer } from '@waybill/contracts/messages/audit-event';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { type ContextColumns, contextOf } from './record-context.ts';

/** A stored record as `storedRecordSql` selects it: numbers arrive as text, times in milliseconds since 1970. */
export type StoredRecordRow = Omit<StoredRecord, 'sequence' | 'auditTime' | 'recordedAt' | 'context' | 'producer'> &
  ContextColumns & {
    sequence: string;
    auditTimeMs: string;
    recordedAtMs: string | null;
    producerId: string | null;
    producerNumber: string | null;
    producerSettled: string | null;
    producerVoided: number[] | null;
  };

/** Selects a `StoredRecordRow`. */
export const storedRecordSql = `
  SELECT sequence, id, correlation_id AS "correlationId", cluster_id AS "clusterId", node_id AS "nodeId", module,
    audit_code AS "auditCode", audit_operation AS "auditOperation", dataone_user AS "dataoneUser",
    entity_type AS "entityType", entity_name AS "entityName", entity_id AS "entityId", audit_message AS "auditMessage",
    extract(epoch FROM audit_time) * 1000 AS "auditTimeMs", dfiid, address,
    virtual_file_system AS "virtualFileSystem", context, producer_id AS "producerId",
    producer_number AS "producerNumber", producer_settled AS "producerSettled", producer_voided AS "producerVoided",
    encode(salt, 'hex') AS salt, commitments, extract(epoch FROM recorded_at) * 1000 AS "recordedAtMs",
    encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash
  FROM audit.records`;

/** The record of a row. */
export function toStoredRecord(stored: StoredRecordRow): StoredRecord {
  const { sequence, auditTimeMs, recordedAtMs, address, virtualFileSystem, context, ...others } = stored;
  const { producerId, producerNumber, producerSettled, producerVoided, ...row } = others;
  return {
    ...row,
    sequence: Number(sequence),
    auditTime: timeOf(auditTimeMs),
    recordedAt: recordedAtMs === null ? null : timeOf(recordedAtMs),
    context: contextOf({ address, virtualFileSystem, context }),
    producer: producerOf({ producerId, producerNumber, producerSettled, producerVoided }),
  };
}

function producerOf(
  columns: Pick<StoredRecordRow, 'producerId' | 'producerNumber' | 'producerSettled' | 'producerVoided'>,
): AuditProducer | null {
  const { producerId: id, producerNumber, producerSettled, producerVoided: voided } = columns;
  if (id === null && producerNumber === null && producerSettled === null && voided === null) return null;
  const [number, settled] = [Number(producerNumber), Number(producerSettled)];
  return { id: id ?? '', number, settled, ...(voided !== null && { voided }) };
}

/** A manipulated time (`infinity`) must cause a finding, not an error of the verification. */
function timeOf(milliseconds: string): string {
  const time = new Date(Number(milliseconds));
  return Number.isNaN(time.getTime()) ? milliseconds : time.toISOString();
}
