import type { StoredRecord } from '../domain/records/log-record.ts';

/** A stored record as `storedRecordSql` selects it: numbers arrive as text, times in milliseconds since 1970. */
export type StoredRecordRow = Omit<StoredRecord, 'sequence' | 'auditTime' | 'recordedAt'> & {
  sequence: string;
  auditTimeMs: string;
  recordedAtMs: string | null;
};

/** Selects a `StoredRecordRow`. */
export const storedRecordSql = `
  SELECT sequence, id, correlation_id AS "correlationId", cluster_id AS "clusterId", node_id AS "nodeId", module,
    audit_code AS "auditCode", audit_operation AS "auditOperation", dataone_user AS "dataoneUser",
    entity_type AS "entityType", entity_name AS "entityName", entity_id AS "entityId", audit_message AS "auditMessage",
    extract(epoch FROM audit_time) * 1000 AS "auditTimeMs", dfiid, encode(salt, 'hex') AS salt,
    extract(epoch FROM recorded_at) * 1000 AS "recordedAtMs",
    encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash
  FROM audit.records`;

/** The record of a row. */
export function toStoredRecord({ sequence, auditTimeMs, recordedAtMs, ...row }: StoredRecordRow): StoredRecord {
  const recordedAt = recordedAtMs === null ? null : timeOf(recordedAtMs);
  return { ...row, sequence: Number(sequence), auditTime: timeOf(auditTimeMs), recordedAt };
}

/** A manipulated time (`infinity`) must cause a finding, not an error of the verification. */
function timeOf(milliseconds: string): string {
  const time = new Date(Number(milliseconds));
  return Number.isNaN(time.getTime()) ? milliseconds : time.toISOString();
}
