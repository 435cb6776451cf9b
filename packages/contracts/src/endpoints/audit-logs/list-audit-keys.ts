import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** Extension of the interface: the public keys of the audit log. */
export const listAuditKeysEndpoint = defineEndpoint({
  id: 'listAuditKeys',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/keys',
  summary: 'List the public keys of the audit log',
  description: 'Verifier keys of signed notes (C2SP signed-note), one a line, in the order in which they signed.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: z.strictObject({
    validity: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: after each key the first and the last number of records that it signs, `-` for no last one')
      .meta({ example: 'true' }),
  }),
  responses: {
    200: { description: 'The verifier keys', body: { kind: 'stream', mediaType: 'text/plain; charset=utf-8' } },
  },
  errors: [],
});
