import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';

/** The number of a delivery or a job in a path or a query. */
export const deliveryNumberSchema = z.preprocess(digitsAsNumber, wholeNumber.min(1));
/** What came of a delivery. */
export const outcomeSchema = z
  .enum(['delivered', 'failed'])
  .describe('delivered: the receiver has answered 2xx; failed: everything else')
  .meta({ example: 'failed' });

/** A delivery in the log. */
export const deliverySchema = z
  .object({
    id: z.int().describe('Number of the delivery').meta({ example: 17 }),
    job: z.int().describe('Number of the job').meta({ example: 245 }),
    step: z.string().describe('Step of the job').meta({ example: 'confirm' }),
    attempt: z.int().describe('Attempt of the step, from 1').meta({ example: 1 }),
    connection: z.string().describe('Name of the client connection').meta({ example: 'acme-hooks' }),
    webhookId: z
      .string()
      .describe('The `webhook-id`, the same for all attempts of the step')
      .meta({ example: '5f2b8c1d9e0a4b7c8d6e3f1a2b4c5d6e' }),
    begunAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-02T05:00:00.000Z' }),
    durationMs: z.int().describe('How long it took, in milliseconds').meta({ example: 120 }),
    outcome: outcomeSchema,
    status: z.int().nullable().describe('Status of the response; null without a response').meta({ example: 503 }),
    error: z
      .string()
      .nullable()
      .describe('Code of the error, or `interrupted` (timeout, abort, stop of the worker); null if it was delivered')
      .meta({ example: 'connection_failed' }),
    reason: z
      .string()
      .nullable()
      .describe('What the error says, if there was no response that it could quote; null otherwise')
      .meta({ example: 'connection: acme-hooks has no signingKey' }),
    replayOf: z
      .int()
      .nullable()
      .describe('Number of the delivery that was replayed; null for attempts of a step')
      .meta({ example: null }),
  })
  .meta({ id: 'WebhookDelivery' });

const detailedOutcome = z
  .enum(['delivered', 'failed', 'pending'])
  .describe('pending: a worker has not carried out the replay yet; `begunAt` is when it was asked for')
  .meta({ example: 'delivered' });

const replaySchema = z
  .object({
    id: z.int().describe('Number of the delivery').meta({ example: 18 }),
    outcome: detailedOutcome,
    begunAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-02T06:00:00.000Z' }),
  })
  .meta({ id: 'WebhookReplay' });

/** One delivery with what was sent. */
export const deliveryDetailsSchema = deliverySchema
  .extend({
    outcome: detailedOutcome,
    replays: z
      .array(replaySchema)
      .describe('Its replays, or those of the delivery that it replays, newest first; at most 100'),
    body: z
      .string()
      .nullable()
      .describe('What was sent; null if it is not kept. Only deliveries with a body can be replayed')
      .meta({ example: '{"type":"file.delivered","timestamp":"2026-03-02T05:00:00.000Z","data":null}' }),
  })
  .meta({ id: 'WebhookDeliveryDetails' });

/** One delivery with what was sent. */
export type DeliveryDetailsView = z.infer<typeof deliveryDetailsSchema>;
