import { z } from 'zod';
import { auditRecordSchema } from '../../values/audit-record.ts';
import { defineEndpoint } from '../endpoint.ts';
import { auditFilterSchema } from './audit-filter.ts';
import { auditSortSchema } from './audit-sort.ts';

const count = z
  .string()
  .regex(/^\d{1,15}$/u, 'must be a whole number from 0')
  .transform(Number);

/** The filter of records as a query parameter. */
export const auditFilterParameter = auditFilterSchema
  .optional()
  .describe(
    'Filter, `{field="value"}`, several joined by `,`; `\\"` inside a value. All fields match exactly; ' +
      '`{field^="value"}` matches the beginning; `fileName` and `filePath` find renames by the new name, too; `fromAuditTime` and `toAuditTime` bound the time, inclusively. Times are ' +
      'ISO 8601 with an offset',
  )
  .meta({ example: '{auditOperation="SERVER_UPLOAD_FILE",dataoneUser="acme"}' });

const querySchema = z.strictObject({
  page: count.describe('Number of the page, from 0; must be 0 with a `cursor`').meta({ example: '0' }),
  offset: count.default(0).describe('Records to skip before page 0; default 0').meta({ example: '0' }),
  limit: count
    .refine((limit) => limit >= 1 && limit <= 1000, 'must be from 1 to 1000')
    .default(100)
    .describe('Records on a page, 1 to 1000; default 100')
    .meta({ example: '100' }),
  q: auditFilterParameter,
  sort: auditSortSchema
    .optional()
    .describe('`+field` or `-field`, several joined by `,`; without it the order is not defined')
    .meta({ example: '-auditTime' }),
  cursor: z
    .string()
    .max(4_000)
    .optional()
    .describe(
      '`X-Next-Cursor` of the page before, with the same `q`, `sort` and `files`: its cost does not grow with the page number',
    )
    .meta({ example: 'WyItYXVkaXRUaW1lIiwiMjAyNi0wMy0xNFQwOToyNjo1My41ODlaIiwiMTcxMyJd' }),
  files: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      '`true`: only records of what was done to files, and of the matching ones of each path of a dataflow instance only the newest: one for each file. The path of a rename is the new one here, and `filePath` finds a file by its path after renames of folders above it, too',
    )
    .meta({ example: 'true' }),
  total: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: count the matching records in `X-Total-Count`; it may take seconds')
    .meta({ example: 'true' }),
});

/** C1: lists audit records. The first record of the response is number page × limit + offset. */
export const listAuditRecordsEndpoint = defineEndpoint({
  id: 'listAuditRecords',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/logs',
  summary: 'List audit records',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: querySchema,
  responses: {
    200: {
      description: 'The records',
      body: { kind: 'json', schema: z.array(auditRecordSchema) },
      headers: z.object({
        'x-next-cursor': z
          .string()
          .optional()
          .describe('The `cursor` of the next page; absent if the page is not full')
          .meta({ example: 'WyItYXVkaXRUaW1lIiwiMjAyNi0wMy0xNFQwOToyNjo1My41ODlaIiwiMTcxMyJd' }),
        'x-total-count': z
          .string()
          .optional()
          .describe('The number of matching records, if `total=true`')
          .meta({ example: '120345' }),
      }),
    },
  },
  errors: ['too_many_requests'],
});

/** The parsed query of the list. */
export type AuditListQuery = z.infer<typeof querySchema>;
