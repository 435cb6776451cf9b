import {
  findWebhookDeliveryEndpoint,
  replayWebhookDeliveryEndpoint,
} from '@waybill/contracts/endpoints/deliveries/webhook-delivery-endpoints';
import type { DeliveryDetailsView } from '@waybill/contracts/endpoints/deliveries/webhook-delivery-view';
import { callEndpoint } from '../api/call-endpoint.ts';

/** What became of the replay of a delivery. */
export type ReplayResult = { readonly id: number } & (
  | { readonly replay: DeliveryDetailsView; readonly failure?: undefined }
  | { readonly failure: string; readonly replay?: undefined }
);

/** How often a worker is asked about. */
const lookEveryMs = 1_000;

/** Asks for the replay of deliveries, one after the other, and tells of each whether it was refused. */
export async function replayDeliveries(
  ids: readonly number[],
  onResult: (result: ReplayResult) => void,
  signal: AbortSignal,
): Promise<void> {
  for (const id of ids) {
    signal.throwIfAborted();
    try {
      onResult({ id, replay: await callEndpoint(replayWebhookDeliveryEndpoint, { params: { id }, signal }) });
    } catch (error) {
      signal.throwIfAborted();
      onResult({ id, failure: error instanceof Error ? error.message : String(error) });
    }
  }
}

/** Tells of replays when a worker has carried them out. */
export async function followReplays(
  replays: readonly (readonly [id: number, replay: number])[],
  onResult: (result: ReplayResult) => void,
  signal: AbortSignal,
): Promise<void> {
  const pending = new Map(replays);
  while (pending.size > 0) {
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    for (const [id, number] of pending) {
      signal.throwIfAborted();
      const replay = await callEndpoint(findWebhookDeliveryEndpoint, { params: { id: number }, signal });
      if (replay.outcome === 'pending') continue;
      pending.delete(id);
      onResult({ id, replay });
    }
  }
}
