import { z } from 'zod';

const exampleId = '019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f';
const sequenceSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const reasonSchema = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((text) => !text.includes('\0'), 'must not hold a NUL character')
  .meta({ example: 'Case 4711' });

/** PostgreSQL and JavaScript write the years from 1 to 9999 alike. */
const timeSchema = z.iso.datetime({ offset: true }).refine((time) => {
  const year = new Date(time).getUTCFullYear();
  return year >= 1 && year <= 9_999;
}, 'must be in the years 1 to 9999');

/** What is on hold; an absent bound is none. */
const scopeShape = {
  first: sequenceSchema.optional().describe('First record').meta({ example: 1000 }),
  last: sequenceSchema.optional().describe('Last record').meta({ example: 2000 }),
  from: timeSchema.optional().describe('Records from this time').meta({ example: '2026-03-01T00:00:00Z' }),
  to: timeSchema.optional().describe('Records up to this time').meta({ example: '2026-04-01T00:00:00Z' }),
};

/** The body of a request for a hold. */
export const auditHoldRequestSchema = z
  .strictObject({ ...scopeShape, reason: reasonSchema.describe('Why; it is recorded') })
  .refine(({ first = 1, last = Number.MAX_SAFE_INTEGER }) => first <= last, 'has a first record after the last one')
  .refine(({ from, to }) => !from || !to || Date.parse(from) <= Date.parse(to), 'has a beginning after its end')
  .meta({ id: 'AuditHoldRequest' });

/** The body of a request that releases a hold. */
export const auditHoldReleaseSchema = z
  .strictObject({ reason: reasonSchema.describe('Why; it is recorded') })
  .meta({ id: 'AuditHoldRelease' });

/** The path of one hold. */
export const auditHoldPathSchema = z.object({
  id: z
    .string()
    .max(100)
    .refine((id) => !id.includes('\0'), 'must not hold a NUL character')
    .describe('The `id` of the hold')
    .meta({ example: exampleId }),
});

/** A legal hold. */
export const auditHoldSchema = z
  .object({
    id: z.string().describe('Id of the hold').meta({ example: exampleId }),
    ...scopeShape,
    reason: z.string().describe('Why it was placed').meta({ example: 'Case 4711' }),
    placedBy: z.string().describe('Who placed it').meta({ example: 'admin' }),
    placedAt: z.iso.datetime().describe('When').meta({ example: '2026-03-14T09:26:53.589Z' }),
  })
  .meta({ id: 'AuditHold' });

/** A legal hold. */
export type AuditHold = z.infer<typeof auditHoldSchema>;

/** The parsed request for a hold. */
export type AuditHoldRequest = z.infer<typeof auditHoldRequestSchema>;
