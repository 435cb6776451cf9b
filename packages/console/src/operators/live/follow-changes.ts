import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { startTimeLimit, waitUnlessAborted } from '../../page-kit/time-limit.ts';
import { withToken } from '../api/call-endpoint.ts';
import { failureOf, RequestFailure } from '../api/request-failure.ts';
import { openEndpoint } from '../api/send-endpoint.ts';
import { readEvents } from './read-events.ts';

/** What happens while changes are followed. */
export interface ChangeFollower {
  /** Changes are reported from now on; some may have been missed. */
  onReady(): void;
  /** Something has changed. */
  onChange(): void;
  /** Changes are not reported, or not any more. */
  onEnd(): void;
}

/** The server sends a comment every 15 seconds: a stream that is silent for longer has lost its server. */
const silentAtMostMs = 40_000;

const retryMs = { first: 1_000, most: 30_000 } as const;

/**
 * Follows the events `ready`, `reset` and `change` of an endpoint, also after interruptions, until the signal. Without the permission
 * it ends.
 */
export async function followChanges(
  endpoint: EndpointContract,
  { onReady, onChange, onEnd }: ChangeFollower,
  signal: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let delayMs: number = retryMs.first;
  while (!signal.aborted) {
    const limit = startTimeLimit(silentAtMostMs, signal);
    try {
      const response = await open(endpoint, lastId, limit.signal);
      for await (const { event, id } of readEvents(response, () => limit.restart(silentAtMostMs))) {
        delayMs = retryMs.first;
        lastId = id ?? lastId;
        if (event === 'ready' || event === 'reset') onReady();
        if (event === 'change') onChange();
      }
    } catch (error) {
      if (error instanceof RequestFailure && error.status === 403) return onEnd();
    } finally {
      limit.stop();
    }
    if (signal.aborted) return undefined;
    onEnd();
    await waitUnlessAborted(delayMs, signal);
    delayMs = Math.min(delayMs * 2, retryMs.most);
  }
}

function open(endpoint: EndpointContract, lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  return withToken(async (token) => {
    const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId };
    const response = await openEndpoint(endpoint, { signal }, token, headers);
    if (!response.ok) throw failureOf(response.status, await response.text());
    return response;
  });
}
