/** The newest delivery of each webhook, of a list with the newest first: the receiver gets it once, whatever the number of attempts. */
export function newestOfEachWebhook<Delivery extends { readonly webhookId: string }>(
  deliveries: readonly Delivery[],
): Delivery[] {
  const newest = new Map<string, Delivery>();
  for (const delivery of deliveries) {
    if (!newest.has(delivery.webhookId)) newest.set(delivery.webhookId, delivery);
  }
  return [...newest.values()];
}
