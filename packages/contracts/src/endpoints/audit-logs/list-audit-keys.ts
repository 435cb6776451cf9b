import { defineEndpoint } from '../endpoint.ts';

/** Extension of the interface: the public keys of the audit log. */
export const listAuditKeysEndpoint = defineEndpoint({
  id: 'listAuditKeys',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/keys',
  summary: 'List the public keys of the audit log',
  description: 'Verifier keys of signed notes (C2SP signed-note), one a line, in the order in which they signed.',
  authentication: { kind: 'bearer', resource: 'AUDITLOGSVIEW', access: 'read' },
  responses: {
    200: { description: 'The verifier keys', body: { kind: 'stream', mediaType: 'text/plain; charset=utf-8' } },
  },
  errors: [],
});
