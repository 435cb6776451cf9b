import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { deliveryNumberSchema, deliverySchema, outcomeSchema } from './webhook-delivery-view.ts';

/** Extension of the interface: the delivery log of webhooks. */
export const listWebhookDeliveriesEndpoint = defineEndpoint({
  id: 'listWebhookDeliveries',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/webhook-deliveries',
  summary: 'List the deliveries of webhooks',
  description:
    'Lists the attempts to deliver webhooks that match all filters, newest first, one page at a time. They are kept as long as their jobs.',
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
      .default(100)
      .describe('Deliveries on one page; 100 by default')
      .meta({ example: 100 }),
    connection: soundTextSchema.optional().describe('Name of the client connection').meta({ example: 'acme-hooks' }),
    job: deliveryNumberSchema.optional().describe('Number of the job').meta({ example: 245 }),
    outcome: outcomeSchema.optional(),
    cursor: deliveryNumberSchema.optional().describe('Start of the page; part of a `next` link').meta({ example: 17 }),
  }),
  responses: {
    200: {
      description: 'A page of deliveries',
      body: {
        kind: 'json',
        schema: z
          .object({
            deliveries: z.array(deliverySchema).describe('The deliveries of this page'),
            next: z
              .string()
              .optional()
              .describe('Link to the next page, from the context path; absent on the last page')
              .meta({ example: '/job-manager/webhook-deliveries?maxItems=100&cursor=17' }),
          })
          .meta({ id: 'WebhookDeliveryList' }),
      },
    },
  },
  errors: [],
});
