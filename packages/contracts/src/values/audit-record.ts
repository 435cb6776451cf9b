import { z } from 'zod';
import { auditOperationSchema } from './audit-operation.ts';

/** One audit record as area C returns it (interface 2.3). */
export const auditRecordSchema = z
  .object({
    id: z.string().describe('Record id, a UUID').meta({ example: '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f' }),
    correlationId: z
      .string()
      .describe('Id of the record before this one, for anti-tampering; the nil UUID for the first record')
      .meta({ example: '019a9f3c-51c7-7a60-9d0e-1a2b3c4d5e6f' }),
    clusterId: z
      .enum(['ENGINE', 'MANAGER'])
      .describe('Which kind of cluster produced the record')
      .meta({ example: 'ENGINE' }),
    nodeId: z.string().describe('The peer or manager node').meta({ example: 'peer1' }),
    module: z.string().describe('`<manager name> AUDIT`').meta({ example: 'manager1 AUDIT' }),
    auditCode: z.string().describe('`AUDnnnnA`').meta({ example: 'AUD0041A' }),
    auditOperation: auditOperationSchema.describe('What was done').meta({ example: 'SERVER_UPLOAD_FILE' }),
    dataoneUser: z.string().describe('User that performed the operation').meta({ example: 'acme' }),
    entityType: z.string().describe('Kind of the affected entity').meta({ example: 'File' }),
    entityName: z.string().describe('Name of the affected entity').meta({ example: '/inbox/invoice.csv' }),
    entityId: z.string().describe('Id of the affected entity').meta({ example: '1042' }),
    auditMessage: z
      .string()
      .describe('What happened, in words')
      .meta({ example: 'Server upload file /inbox/invoice.csv FilesetId 1042' }),
    auditTime: z.iso
      .datetime()
      .describe('When the operation occurred, ISO 8601 in UTC with milliseconds')
      .meta({ example: '2026-03-14T09:26:53.589Z' }),
    fromAuditTime: z.null().describe('Only a filter; null in every record').meta({ example: null }),
    toAuditTime: z.null().describe('Only a filter; null in every record').meta({ example: null }),
    dfiid: z
      .string()
      .nullable()
      .describe('Dataflow instance that the operation belongs to')
      .meta({ example: '019a9f3c-4be2-7d11-8c55-6a7b8c9d0e1f' }),
  })
  .meta({ id: 'AuditRecord' });

/** One audit record as area C returns it. */
export type AuditRecord = z.infer<typeof auditRecordSchema>;
