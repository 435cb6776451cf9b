import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';

/** The column of each field of a record that can be filtered or sorted by. */
export const recordColumns = {
  id: 'id',
  clusterId: 'cluster_id',
  correlationId: 'correlation_id',
  nodeId: 'node_id',
  module: 'module',
  auditCode: 'audit_code',
  auditOperation: 'audit_operation',
  dataoneUser: 'dataone_user',
  entityType: 'entity_type',
  entityName: 'entity_name',
  entityId: 'entity_id',
  auditMessage: 'audit_message',
  auditTime: 'audit_time',
  dfiid: 'dfiid',
  address: 'address',
  virtualFileSystem: 'virtual_file_system',
  // A member of the context: without the collation it would be compared in that of the database.
  fileHash: `(context ->> 'fileHash') COLLATE "C"`,
  // The last part of the path, of records that belong to a file.
  fileName: `CASE WHEN dfiid IS NOT NULL THEN split_part(entity_name, '/', -1) END`,
  filePath: 'entity_name',
} as const satisfies Record<AuditExactField | 'auditTime', string>;

/** SQL for a `timestamptz` column as JavaScript's `toISOString` writes it: UTC with milliseconds. */
export function utcText(column: 'audit_time'): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
