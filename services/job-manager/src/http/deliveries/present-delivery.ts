import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import type { DeliveryDetails, WebhookDelivery } from '../../domain/deliveries/webhook-delivery.ts';

/** A delivery as the interface shows it. */
export function presentDelivery({ begunAt, ...delivery }: WebhookDelivery) {
  return { ...delivery, outcome: outcomeOf(delivery), begunAt: begunAt.toISOString() };
}

/** The same with its body and its replays; a replay that waits for a worker is pending. */
export function presentDeliveryDetails(details: DeliveryDetails): DeliveryDetailsView {
  const { isPending: _isPending, body, replays, ...delivery } = details;
  return {
    ...presentDelivery(delivery),
    outcome: detailedOutcomeOf(details),
    body,
    replays: replays.map((replay) => ({
      id: replay.id,
      outcome: detailedOutcomeOf(replay),
      begunAt: replay.begunAt.toISOString(),
    })),
  };
}

function outcomeOf({ error }: Pick<WebhookDelivery, 'error'>) {
  return error === null ? ('delivered' as const) : ('failed' as const);
}

function detailedOutcomeOf(delivery: Pick<DeliveryDetails, 'isPending' | 'error'>) {
  return delivery.isPending ? ('pending' as const) : outcomeOf(delivery);
}
