import type { Readable } from 'node:stream';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { PlatformClient } from '../create-client.ts';
import type { PlatformError } from '../platform-error.ts';
import type { EndpointRequest } from '../requests/endpoint-call.ts';
import { pause } from '../requests/repetition.ts';
import { parseEvents, type ServerEvent } from './parse-events.ts';

/** An endpoint that streams events. */
type EventEndpoint = EndpointContract & {
  readonly responses: { readonly 200: { readonly body: { readonly kind: 'stream' } } };
};

/** How a stream of events is kept. */
export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the platform may be away before the last error is thrown, in milliseconds; 5 minutes by default. */
  readonly patienceMs?: number;
  /** Called when the connection was lost, before the next attempt. */
  readonly onInterruption?: (error: PlatformError) => void;
}

const usualPatienceMs = 300_000;
const longestDelayMs = 10_000;
const firstDelayMs = 200;
/** The platform sends a comment every 15 seconds. */
const silenceMs = 45_000;

/**
 * The events of an endpoint, for as long as the caller reads. After an interruption, and when the stream ends because an access
 * token has expired, it connects again, and asks for what came after the last event. Ends when the signal is aborted.
 * Throws `PlatformError`: at once if the first connection fails or the platform refuses, later when it stays away.
 */
export async function* followEvents<E extends EventEndpoint>(
  client: PlatformClient,
  endpoint: E,
  request: Pick<EndpointRequest<E>, 'query'>,
  { signal, patienceMs = usualPatienceMs, onInterruption }: FollowOptions = {},
): AsyncGenerator<ServerEvent> {
  let lastId: string | undefined;
  let lastSeen: number | undefined;
  let attempt = 0;
  while (!isAborted(signal)) {
    try {
      for await (const event of parseEvents(await connect(client, endpoint, { ...request, signal }, lastId))) {
        lastId = event.id ?? lastId;
        [lastSeen, attempt] = [Date.now(), 0];
        yield event;
        if (isAborted(signal)) return;
      }
    } catch (thrown) {
      if (isAborted(signal)) return;
      const error = client.explain(thrown);
      if (lastSeen === undefined || isRefusal(error) || Date.now() - lastSeen > patienceMs) throw error;
      onInterruption?.(error);
    }
    lastSeen ??= Date.now();
    attempt += 1;
    await pause(Math.random() * Math.min(longestDelayMs, firstDelayMs * 2 ** attempt), signal).catch(() => undefined);
  }
}

async function connect<E extends EventEndpoint>(
  client: PlatformClient,
  endpoint: E,
  request: Pick<EndpointRequest<E>, 'query'> & { readonly signal: AbortSignal | undefined },
  lastId: string | undefined,
): Promise<Readable> {
  const headers = { accept: 'text/event-stream', ...(lastId !== undefined && { 'last-event-id': lastId }) };
  const call: (endpoint: EndpointContract, request: object) => Promise<{ readonly body: unknown }> = client.call;
  const { body } = await call(endpoint, { ...request, headers, timeoutMs: silenceMs });
  return body as Readable;
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function isRefusal({ status = 0 }: PlatformError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}
