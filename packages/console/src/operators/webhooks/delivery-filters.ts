import { listWebhookDeliveriesEndpoint } from '@waybill/contracts/endpoints/deliveries/list-webhook-deliveries';
import { newestOfEachWebhook } from '@waybill/contracts/endpoints/deliveries/newest-of-each-webhook';
import { outcomeSchema } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { findFaultyFilters } from '../address/faulty-filters.tsx';
import type { Filters } from '../address/use-filters.ts';
import { callEndpoint } from '../api/call-endpoint.ts';
import type { EndpointResult } from '../api/endpoint-types.ts';
import { cursorOf, readAllItems } from '../api/pages.ts';
import type { CursorPage } from '../lists/use-cursor-rows.ts';

/** The filters of the list of deliveries, by their names in the interface and in the address of the page. */
export const deliveryFilterNames = ['outcome', 'connection', 'job'] as const;

/** The name of a filter. */
export type DeliveryFilterName = (typeof deliveryFilterNames)[number];

/** The filters that are set. */
export type DeliveryFilters = Filters<DeliveryFilterName>;

/** A delivery of the list. */
export type Delivery = EndpointResult<typeof listWebhookDeliveriesEndpoint>['deliveries'][number];

/** Those of the filters that no delivery can match. */
export function findFaultyDeliveryFilters(filters: DeliveryFilters): readonly string[] {
  return findFaultyFilters(listWebhookDeliveriesEndpoint.query, filters);
}

function requestedFilter({ outcome, ...others }: DeliveryFilters) {
  return { ...others, outcome: outcomeSchema.optional().parse(outcome) };
}

/** Deliveries of one page. */
export const deliveryPageSize = 100;

/** How often the list is read: no stream reports deliveries. */
export const refreshDeliveriesEveryMs = 1_500;

/** Reads a page of deliveries, newest first. @throws ZodError with an unknown outcome */
export async function listDeliveries(
  filters: DeliveryFilters,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<CursorPage<Delivery>> {
  const query = { ...requestedFilter(filters), maxItems: deliveryPageSize, cursor };
  const { deliveries, next } = await callEndpoint(listWebhookDeliveriesEndpoint, { query, signal });
  return { rows: deliveries, next: cursorOf(next) };
}

/** Webhooks that are replayed at once, at most. */
export const replayedAtMost = 1_000;

/**
 * The newest delivery of each webhook among those that match, to `replayedAtMost` of them; undefined if there are more. What is replayed
 * then is not found again.
 */
export async function listMatchingWebhooks(
  filters: DeliveryFilters,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const deliveries = await readAllItems(async (page) => {
    const query = { ...requestedFilter(filters), ...page };
    const answer = await callEndpoint(listWebhookDeliveriesEndpoint, { query, signal });
    return { items: answer.deliveries, next: answer.next };
  });
  const newest = newestOfEachWebhook(deliveries);
  return newest.length > replayedAtMost ? undefined : newest.map(({ id }) => id);
}
