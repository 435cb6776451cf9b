import { defineEndpoint } from '../endpoint.ts';

/** Extension of the interface: all records of the audit log, with what is needed to verify them. */
export const exportAuditRecordsEndpoint = defineEndpoint({
  id: 'exportAuditRecords',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/export',
  summary: 'Export the audit log',
  description:
    'One JSON object a line (NDJSON): the records in order, and at the end `{"checkpoint": ..., "keys": [...]}` with the last checkpoint and ' +
    'the verifier keys. `waybill audit verify` and `packages/audit-verifier` verify it.',
  authentication: { kind: 'bearer', resource: 'AUDITLOGSVIEW', access: 'read' },
  responses: {
    200: { description: 'The records', body: { kind: 'stream', mediaType: 'application/x-ndjson' } },
  },
  errors: [],
});
