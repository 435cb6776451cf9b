import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** Extension of the interface: the last checkpoint of the audit log. */
export const readAuditCheckpointEndpoint = defineEndpoint({
  id: 'readAuditCheckpoint',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/checkpoint',
  summary: 'Read the last checkpoint of the audit log',
  description:
    'The name of the log, its number of records and the root of its tree, signed (C2SP tlog-checkpoint). Keep it: a later ' +
    'verification can prove that the log continues it. The cosignatures of witnesses follow the signature of the log.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: z.strictObject({
    cosigned: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: the newest checkpoint that a witness has cosigned, if there is one')
      .meta({ example: 'true' }),
  }),
  responses: {
    200: { description: 'A signed note', body: { kind: 'stream', mediaType: 'text/plain; charset=utf-8' } },
  },
  errors: [],
});
