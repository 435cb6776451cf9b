import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { auditCountFields } from './audit-fields.ts';
import { auditFilterParameter } from './list-audit-records.ts';

const units = ['minute', 'hour', 'day', 'month'] as const;

const countSchema = z
  .object({
    time: z.iso.datetime().describe('Begin of the unit of time, in UTC').meta({ example: '2026-03-14T09:00:00.000Z' }),
    value: z
      .string()
      .nullable()
      .describe('The value of the field; null without `by`')
      .meta({ example: 'SERVER_LOGIN' }),
    count: z.int().nonnegative().describe('The number of records').meta({ example: 42 }),
    bytes: z
      .int()
      .nonnegative()
      .optional()
      .describe('The sum of their `fileSize`, with `bytes=true`; at most 2^53 - 1')
      .meta({ example: 1_048_576 }),
  })
  .meta({ id: 'AuditCount' });

/** The number of records of one value in one unit of time, and perhaps the bytes that they are about. */
export type AuditCount = z.infer<typeof countSchema>;

const querySchema = z.strictObject({
  q: auditFilterParameter,
  by: z
    .enum(auditCountFields)
    .optional()
    .describe('Field whose values are counted separately')
    .meta({ example: 'auditOperation' }),
  bytes: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true`: also add up the `fileSize` of the records: the bytes of complete uploads and downloads')
    .meta({ example: 'true' }),
  unit: z.enum(units).default('hour').describe('Unit of time, in UTC; default `hour`').meta({ example: 'hour' }),
});

/** Extension of the interface: numbers of records over time, for charts. */
export const countAuditRecordsEndpoint = defineEndpoint({
  id: 'countAuditRecords',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/logs/counts',
  summary: 'Count audit records over time',
  description:
    'The number of matching records in each unit of time, and for each value of a field. Bound the time with `fromAuditTime` and ' +
    '`toAuditTime`. Units without records are absent. With `bytes=true` also the bytes that were transferred: records of earlier ' +
    'releases have no sizes, and count as 0. At most 10 000 counts are returned: the most recent ones.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: querySchema,
  responses: {
    200: {
      description: 'The counts, in order of time and value',
      body: { kind: 'json', schema: z.array(countSchema) },
    },
  },
  errors: ['too_many_requests'],
});

/** The parsed query of counts. */
export type AuditCountQuery = z.infer<typeof querySchema>;
