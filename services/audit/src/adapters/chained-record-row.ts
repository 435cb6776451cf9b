import type { ChainedRecord } from '../domain/chain/chained-record.ts';

/** A stored record as `chainedRecordSql` selects it: numbers arrive as text, the time in milliseconds since 1970. */
export type ChainedRecordRow = Omit<ChainedRecord, 'sequence' | 'auditTime'> & {
  sequence: string;
  auditTimeMs: string;
};

/** Selects a `ChainedRecordRow`. */
export const chainedRecordSql = `
  SELECT sequence, id, correlation_id AS "correlationId", cluster_id AS "clusterId", node_id AS "nodeId", module,
    audit_code AS "auditCode", audit_operation AS "auditOperation", dataone_user AS "dataoneUser",
    entity_type AS "entityType", entity_name AS "entityName", entity_id AS "entityId", audit_message AS "auditMessage",
    extract(epoch FROM audit_time) * 1000 AS "auditTimeMs", dfiid, encode(salt, 'hex') AS salt,
    encode(previous_hash, 'hex') AS "previousHash", encode(hash, 'hex') AS hash
  FROM audit.records`;

/** The record of a row. */
export function toChainedRecord({ sequence, auditTimeMs, ...row }: ChainedRecordRow): ChainedRecord {
  const time = new Date(Number(auditTimeMs));
  // A manipulated time (`infinity`) must cause a finding, not an error of the verification.
  const auditTime = Number.isNaN(time.getTime()) ? auditTimeMs : time.toISOString();
  return { ...row, sequence: Number(sequence), auditTime };
}
