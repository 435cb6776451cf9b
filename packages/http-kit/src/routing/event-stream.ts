import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

/** The id of the last event that a client has received, as `eventStreamHeaders` allows it; `undefined` for a client that begins. */
export function lastEventIdOf(headers: IncomingHttpHeaders): number | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' ? Number(id) : undefined;
}

/** Ends a stream when a signal fires, at once if it has fired. */
export function onceFired(signal: AbortSignal, end: () => void): void {
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
}

/** The response with a stream of server-sent events. */
export function eventStreamResponse<Body extends Readable>(body: Body) {
  // Keeps proxies from buffering events.
  const headers = { 'X-Accel-Buffering': 'no', 'Cache-Control': 'no-store' };
  return { status: 200, body, headers } as const;
}
