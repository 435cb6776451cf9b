import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

const size = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,14})$/u, 'must be a number of records')
  .transform(Number);

/** Extension of the interface: the proof that a state of the audit log continues an earlier one. */
export const proveAuditConsistencyEndpoint = defineEndpoint({
  id: 'proveAuditConsistency',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/consistency',
  summary: 'Prove that the audit log continues an earlier state',
  description: 'The hashes of RFC 6962 section 2.1.2 in Base64, one a line.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: z.strictObject({
    from: size.describe('Size of the earlier checkpoint').meta({ example: '1713' }),
    to: size.describe('Size of the later checkpoint').meta({ example: '2040' }),
  }),
  responses: {
    200: { description: 'The proof', body: { kind: 'stream', mediaType: 'text/plain; charset=utf-8' } },
  },
  errors: [],
});
