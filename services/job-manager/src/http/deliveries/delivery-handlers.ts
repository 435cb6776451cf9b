import type {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { WebhookDeliveries } from '../../domain/deliveries/webhook-delivery.ts';
import { presentDeliveryDetails } from './present-delivery.ts';

/** One delivery with its body. */
export function createFindDeliveryHandler({
  deliveries,
}: {
  readonly deliveries: Pick<WebhookDeliveries, 'find'>;
}): EndpointHandler<typeof findWebhookDeliveryEndpoint> {
  return async ({ params, actors }) => ({
    status: 200,
    body: presentDeliveryDetails(await deliveries.find(params.id, actors)),
  });
}

/** Asks for a replay, which a worker carries out. */
export function createReplayDeliveryHandler({
  deliveries,
}: {
  readonly deliveries: Pick<WebhookDeliveries, 'requestReplay'>;
}): EndpointHandler<typeof replayWebhookDeliveryEndpoint> {
  return async ({ params, principal: { userName }, actors }) => ({
    status: 202,
    body: presentDeliveryDetails(await deliveries.requestReplay(params.id, { userName, actors })),
  });
}
