import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { deliveryDetailsSchema, deliveryNumberSchema } from './webhook-delivery-view.ts';

const pathSchema = z.object({ id: deliveryNumberSchema.describe('Number of the delivery').meta({ example: 17 }) });

/** Extension of the interface: one delivery of a webhook. */
export const findWebhookDeliveryEndpoint = defineEndpoint({
  id: 'findWebhookDelivery',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/webhook-deliveries/:id',
  summary: 'Show a delivery of a webhook',
  description: 'Also shows replays that no worker has carried out yet.',
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  params: pathSchema,
  responses: { 200: { description: 'The delivery', body: { kind: 'json', schema: deliveryDetailsSchema } } },
  errors: ['webhook_delivery_unknown'],
});

/** Extension of the interface: send a webhook again. */
export const replayWebhookDeliveryEndpoint = defineEndpoint({
  id: 'replayWebhookDelivery',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/webhook-deliveries/:id/replay',
  summary: 'Replay a delivery of a webhook',
  description:
    'A worker sends the same body with the same `webhook-id` again, signed with the present key and a new timestamp, to the present address of the connection. The audit log has a record of it (`AUD0090A`).',
  authentication: { kind: 'bearer', permission: 'jobs:write', ofActor: true },
  params: pathSchema,
  responses: { 202: { description: 'The new delivery', body: { kind: 'json', schema: deliveryDetailsSchema } } },
  errors: ['webhook_delivery_unknown', 'webhook_body_removed', 'webhook_replay_pending'],
});
