import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** Extension of the interface: the proof that a record is in the audit log. */
export const proveAuditRecordEndpoint = defineEndpoint({
  id: 'proveAuditRecord',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/logs/:id/proof',
  summary: 'Prove that a record is in the audit log',
  description:
    'C2SP tlog-proof: the index of the leaf, the hashes from the leaf to the root, and the last checkpoint. It can be verified without ' +
    'the platform, years later.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  params: z.object({
    id: z
      .string()
      .regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u, 'must be the id of a record')
      .describe('The `id` of the record')
      .meta({ example: '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f' }),
  }),
  responses: {
    200: { description: 'The proof', body: { kind: 'stream', mediaType: 'text/plain; charset=utf-8' } },
  },
  errors: ['audit_record_unknown'],
});
