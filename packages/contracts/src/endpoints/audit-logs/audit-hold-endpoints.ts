import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { auditHoldPathSchema, auditHoldReleaseSchema, auditHoldRequestSchema, auditHoldSchema } from './audit-hold.ts';

const path = '/platform-application/api/v1/audit/holds';
const manage = { kind: 'bearer', permission: 'audit:write' } as const;

/** Extension of the interface: places records on legal hold. */
export const placeAuditHoldEndpoint = defineEndpoint({
  id: 'placeAuditHold',
  tag: 'Audit logs',
  method: 'POST',
  path,
  summary: 'Place audit records on legal hold',
  description:
    'Until the hold is released, retention archives neither these records nor those after them. Without bounds, the hold is of all records. ' +
    'The audit log has a record of it (`AUD0121A`).',
  authentication: manage,
  body: { kind: 'json', schema: auditHoldRequestSchema },
  responses: { 200: { description: 'The hold', body: { kind: 'json', schema: auditHoldSchema } } },
  errors: [],
});

/** Extension of the interface: lists the legal holds. */
export const listAuditHoldsEndpoint = defineEndpoint({
  id: 'listAuditHolds',
  tag: 'Audit logs',
  method: 'GET',
  path,
  summary: 'List the legal holds',
  description: 'A page of the holds that were not released, the oldest first. `next` leads to the next page.',
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: z.strictObject({
    limit: z
      .preprocess(digitsAsNumber, z.int({ error: 'must be a whole number' }).min(1).max(1_000))
      .default(100)
      .describe('Maximum number of holds; default 100')
      .meta({ example: 100 }),
    cursor: z
      .uuid({ error: 'must be that of a `next` link' })
      .optional()
      .describe('Where the page begins, from `next`'),
  }),
  responses: {
    200: {
      description: 'The holds',
      body: {
        kind: 'json',
        schema: z
          .object({
            holds: z.array(auditHoldSchema).describe('The holds of the page'),
            next: z
              .string()
              .optional()
              .describe('Address of the next page; absent on the last one')
              .meta({ example: `${path}?limit=100&cursor=019a9f3c-51c7-7a60-9d0e-3f1b7c2d4e5f` }),
          })
          .meta({ id: 'AuditHolds' }),
      },
    },
  },
  errors: [],
});

/** Extension of the interface: releases a legal hold. */
export const releaseAuditHoldEndpoint = defineEndpoint({
  id: 'releaseAuditHold',
  tag: 'Audit logs',
  method: 'POST',
  path: `${path}/:id/release`,
  summary: 'Release a legal hold',
  description: 'The audit log has a record of it (`AUD0122A`).',
  authentication: manage,
  params: auditHoldPathSchema,
  body: { kind: 'json', schema: auditHoldReleaseSchema },
  responses: { 200: { description: 'The former hold', body: { kind: 'json', schema: auditHoldSchema } } },
  errors: ['audit_hold_unknown'],
});
