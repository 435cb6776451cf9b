import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { jobTimeSchema } from '../jobs/job-filters.ts';
import { expectationStateSchema, expectationViewSchema } from './expectation-view.ts';

const idSchema = z.preprocess(digitsAsNumber, wholeNumber.min(1));
const pathSchema = z.object({ id: idSchema.describe('Number of the state').meta({ example: 17 }) });

/** Extension of the interface: the states of expectations. */
export const listExpectationsEndpoint = defineEndpoint({
  id: 'listExpectations',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/expectations',
  summary: 'List the states of expectations',
  description:
    'Lists due times, and unexpected files before them, that match all filters, newest first, one page at a time.',
  authentication: { kind: 'bearer', permission: 'expectations:read', ofActor: true },
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
      .default(100)
      .describe('States on one page; 100 by default')
      .meta({ example: 100 }),
    actor: soundTextSchema.optional().describe('Name of the actor whose contract it was').meta({ example: 'acme' }),
    contract: soundTextSchema.optional().describe('Name of the contract').meta({ example: 'invoices' }),
    expectation: soundTextSchema.optional().describe('Name of the expectation').meta({ example: 'daily-orders' }),
    state: expectationStateSchema.optional(),
    dueFrom: jobTimeSchema.optional().describe('Due at this time or later').meta({ example: '2026-03-02T00:00:00Z' }),
    dueTo: jobTimeSchema.optional().describe('Due at this time or earlier').meta({ example: '2026-03-02T23:59:59Z' }),
    cursor: idSchema.optional().describe('Start of the page; part of a `next` link').meta({ example: 17 }),
  }),
  responses: {
    200: {
      description: 'A page of states',
      body: {
        kind: 'json',
        schema: z
          .object({
            expectations: z.array(expectationViewSchema).describe('The states of this page'),
            next: z
              .string()
              .optional()
              .describe('Link to the next page, from the context path; absent on the last page')
              .meta({ example: '/job-manager/expectations?maxItems=100&cursor=17' }),
          })
          .meta({ id: 'ExpectationStateList' }),
      },
    },
  },
  errors: [],
});

/** Extension of the interface: one state of an expectation. */
export const findExpectationEndpoint = defineEndpoint({
  id: 'findExpectation',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/expectations/:id',
  summary: 'Show a state of an expectation',
  authentication: { kind: 'bearer', permission: 'expectations:read', ofActor: true },
  params: pathSchema,
  responses: { 200: { description: 'The state', body: { kind: 'json', schema: expectationViewSchema } } },
  errors: ['expectation_unknown'],
});

/** Extension of the interface: acknowledge missed, late or unexpected files. */
export const acknowledgeExpectationEndpoint = defineEndpoint({
  id: 'acknowledgeExpectation',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/expectations/:id/acknowledge',
  summary: 'Acknowledge missed, late or unexpected files',
  description: 'The state is no longer open. The audit log has a record of it (`AUD0073A`).',
  authentication: { kind: 'bearer', permission: 'expectations:write', ofActor: true },
  params: pathSchema,
  body: {
    kind: 'json',
    schema: z
      .strictObject({
        reason: soundTextSchema
          .trim()
          .min(1)
          .max(500)
          .describe('Why, for the audit log')
          .meta({ example: 'the partner has a public holiday' }),
      })
      .meta({ id: 'ExpectationAcknowledgementRequest' }),
  },
  responses: { 200: { description: 'The acknowledged state', body: { kind: 'json', schema: expectationViewSchema } } },
  errors: ['expectation_unknown', 'expectation_not_open'],
});
