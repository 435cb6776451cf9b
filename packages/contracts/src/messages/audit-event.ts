import { z } from 'zod';
import { auditOperationSchema } from '../values/audit-operation.ts';

/** An event for the audit log: an audit record without the fields that the chain adds. */
export const auditEventSchema = z.object({
  auditTime: z.iso.datetime(),
  clusterId: z.enum(['ENGINE', 'MANAGER']).describe('Which kind of cluster produced it'),
  nodeId: z.string().describe('The peer or manager node'),
  module: z.string().describe('`<manager name> AUDIT`'),
  auditCode: z.string().regex(/^AUD\d{4}A$/u),
  auditOperation: auditOperationSchema,
  dataoneUser: z.string(),
  entityType: z.string(),
  entityName: z.string(),
  entityId: z.string(),
  auditMessage: z.string(),
  dfiid: z.string().nullable(),
});

/** An event for the audit log. */
export type AuditEvent = z.infer<typeof auditEventSchema>;
