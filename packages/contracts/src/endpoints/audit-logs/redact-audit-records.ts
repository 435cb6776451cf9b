import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { auditFilterSchema } from './audit-filter.ts';

const exampleId = '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f';

const bodySchema = z
  .strictObject({
    q: auditFilterSchema
      .optional()
      .describe('Filter of the records, as in the list of records')
      .meta({ example: '{dataoneUser="acme"}' }),
    ids: z
      .array(z.string().regex(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u, 'must be the id of a record'))
      .min(1)
      .max(1_000)
      .optional()
      .describe('Ids of the records, instead of a filter')
      .meta({ example: [exampleId] }),
    fields: z
      .array(z.string().regex(/^[a-z][A-Za-z]{0,39}$/u, 'must be the name of a field'))
      .min(1)
      .max(50)
      .describe(
        '`auditMessage`, `dataoneUser`, `entityId`, `entityName`, and members of `context`. A message can contain the other values',
      )
      .meta({ example: ['auditMessage', 'dataoneUser', 'address'] }),
    reason: z
      .string()
      .trim()
      .min(1)
      .max(500)
      .refine((text) => !text.includes('\0'), 'must not hold a NUL character')
      .describe('Why; it is recorded')
      .meta({ example: 'Request of 14 March' }),
    dryRun: z.boolean().default(false).describe('Only count the records').meta({ example: true }),
  })
  .refine(({ q, ids }) => (q === undefined) !== (ids === undefined), 'has either q or ids')
  .meta({ id: 'AuditRedactionRequest' });

/** Extension of the interface: erases personal values of audit records. */
export const redactAuditRecordsEndpoint = defineEndpoint({
  id: 'redactAuditRecords',
  tag: 'Audit logs',
  method: 'POST',
  path: '/platform-application/api/v1/audit/redactions',
  summary: 'Erase personal values of audit records',
  description:
    'The values cannot be restored. All proofs remain valid, and the audit log has a record (`AUD0113A`) of what was erased, ' +
    'by whom and why. Records of the audit log about itself (`AUD01..`) are left as they are. One request changes at most 50,000 records.',
  authentication: { kind: 'bearer', permission: 'audit:write' },
  body: { kind: 'json', schema: bodySchema },
  responses: {
    200: {
      description: 'What was erased, or would be',
      body: {
        kind: 'json',
        schema: z
          .object({
            records: z.int().describe('Records of which a value was erased').meta({ example: 42 }),
            dryRun: z.boolean().describe('True if nothing was changed').meta({ example: false }),
          })
          .meta({ id: 'AuditRedaction' }),
      },
    },
  },
  errors: [],
});

/** The parsed request. */
export type AuditRedactionRequest = z.infer<typeof bodySchema>;
