import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { nextLink } from '@waybill/http-kit/routing/next-link';
import type { WebhookDeliveries } from '../../domain/deliveries/webhook-delivery.ts';
import { presentDelivery } from './present-delivery.ts';

/** What the handler needs. `basePath` is the context path that links begin with. */
export interface DeliveryHandlerParts {
  readonly deliveries: Pick<WebhookDeliveries, 'list'>;
  readonly basePath: string;
}

/** The delivery log of webhooks, newest first. */
export function createListDeliveriesHandler({
  deliveries: log,
  basePath,
}: DeliveryHandlerParts): EndpointHandler<typeof listWebhookDeliveriesEndpoint> {
  return async ({ query, actors }) => {
    const { maxItems, cursor, ...filters } = query;
    const { deliveries, next } = await log.list({ ...filters, before: cursor, limit: maxItems, actors });
    const link = nextLink(`${basePath}${listWebhookDeliveriesEndpoint.path}`, query, next);
    return { status: 200, body: { deliveries: deliveries.map(presentDelivery), ...link } };
  };
}
