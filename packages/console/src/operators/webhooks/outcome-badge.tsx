import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { texts } from '../texts/texts.ts';

const { webhooks: words } = texts;

const statuses = { delivered: 'COMPLETED', failed: 'FAILED', pending: 'RUNNING' } as const;

/** What came of a delivery: a word, and a colour for those who see it. */
export function OutcomeBadge({ outcome }: Pick<DeliveryDetailsView, 'outcome'>) {
  return (
    <span className="badge" data-status={statuses[outcome]}>
      {words.outcome[outcome]}
    </span>
  );
}

/** `status 503, http_request_failed`; what is not known is left out. */
export function responseInWords({ status, error }: Pick<DeliveryDetailsView, 'status' | 'error'>): string {
  return [status === null ? undefined : words.status(status), error ?? undefined]
    .filter((part) => part !== undefined)
    .join(', ');
}
