import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import type { DeliveryDetails, WebhookDelivery } from '../../domain/deliveries/webhook-delivery.ts';

/** A delivery as the interface shows it. */
export function presentDelivery({ begunAt, ...delivery }: WebhookDelivery) {
  const outcome = delivery.error === null ? ('delivered' as const) : ('failed' as const);
  return { ...delivery, outcome, begunAt: begunAt.toISOString() };
}

/** The same with its body; a replay that waits for a worker is pending. */
export function presentDeliveryDetails({ isPending, body, ...delivery }: DeliveryDetails): DeliveryDetailsView {
  const shown = { ...presentDelivery(delivery), body };
  return isPending ? { ...shown, outcome: 'pending' } : shown;
}
