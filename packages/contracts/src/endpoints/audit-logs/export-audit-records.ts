import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { auditFilterSchema } from './audit-filter.ts';

const formats = ['ndjson', 'csv', 'cef', 'ocsf'] as const;

/** A format of an export. */
export type AuditExportFormat = (typeof formats)[number];

const querySchema = z.strictObject({
  format: z
    .enum(formats)
    .default('ndjson')
    .describe(
      '`ndjson` (default), which can be verified, `csv` (RFC 4180), `cef` (Common Event Format) or `ocsf` (JSON lines)',
    )
    .meta({ example: 'csv' }),
  q: z
    .string()
    .transform((text, context) => {
      const parsed = auditFilterSchema.safeParse(text);
      if (parsed.success) return { text, filter: parsed.data };
      for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', message, path });
      return z.NEVER;
    })
    .optional()
    .describe('Filter as in the list of records; without it all records')
    .meta({ example: '{dataoneUser="acme"}' }),
});

/** Extension of the interface: the records of the audit log, with what is needed to verify them. */
export const exportAuditRecordsEndpoint = defineEndpoint({
  id: 'exportAuditRecords',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/export',
  summary: 'Export the audit log',
  description:
    'The records in order, one a line, of any number. As NDJSON the last line is `{"checkpoint": ..., "keys": [...]}` with the last ' +
    'checkpoint and the verifier keys: `waybill audit verify` and `packages/audit-verifier` verify an export without a filter. CEF and ' +
    'OCSF end with the checkpoint as an event. The media type is that of NDJSON for all formats but CSV.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: querySchema,
  responses: {
    200: {
      description: 'The records',
      body: { kind: 'stream', mediaType: 'application/x-ndjson' },
      headers: z.object({
        'x-audit-checkpoint': z
          .string()
          .describe('The checkpoint that covers the records: Base64 of the signed note')
          .meta({ example: 'd2F5YmlsbC9tYW5hZ2VyMS85Zjg2ZDA4' }),
      }),
    },
  },
  errors: ['too_many_requests'],
});
