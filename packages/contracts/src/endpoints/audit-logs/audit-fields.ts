/** The fields of a record by which records can be both filtered and ordered. */
const recordFields = [
  'id',
  'clusterId',
  'correlationId',
  'nodeId',
  'module',
  'auditCode',
  'auditOperation',
  'dataoneUser',
  'entityType',
  'entityName',
  'entityId',
  'auditMessage',
  // Beyond the interface:
  'dfiid',
] as const;

/** The fields that are compared as strings. */
export const auditExactFields = [
  ...recordFields,
  'address',
  'virtualFileSystem',
  'fileHash',
  'fileName',
  'filePath',
] as const;

/** The fields that records can be ordered by. */
export const auditSortFields = [...recordFields, 'auditTime'] as const;

/** A field that is compared as a string. */
export type AuditExactField = (typeof auditExactFields)[number];

/** A field that records can be ordered by. */
export type AuditSortField = (typeof auditSortFields)[number];

/** The fields by which records are counted: those that have few values. */
export const auditCountFields = [
  'clusterId',
  'nodeId',
  'module',
  'auditCode',
  'auditOperation',
  'dataoneUser',
  'entityType',
  'virtualFileSystem',
] as const satisfies readonly AuditExactField[];
