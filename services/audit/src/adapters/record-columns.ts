import type { AuditSortField } from '@waybill/contracts/endpoints/audit-logs/audit-sort';

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
} as const satisfies Record<AuditSortField, string>;

/** SQL for a `timestamptz` column as JavaScript's `toISOString` writes it: UTC with milliseconds. */
export function utcText(column: 'audit_time' | 'signed_at'): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
