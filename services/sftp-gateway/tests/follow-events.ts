import { waitFor } from '@waybill/test-kit/wait-for';
import { expect } from 'vitest';

/** One server-sent event. */
export interface ReceivedEvent {
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** A follower of the sessions, like `curl -N`. */
export interface Follower extends AsyncDisposable {
  readonly received: ReceivedEvent[];
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  /** The first event of that kind for which `matches` holds, among past and future ones. */
  find(event: string, matches?: (data: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
}

/** Follows the sessions through one gateway. */
export async function followEvents(httpUrl: string, token: string): Promise<Follower> {
  const stop = new AbortController();
  const path = '/platform-application/api/v1/infrastructure/clusters/server-sessions/events';
  const response = await fetch(httpUrl + path, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const received: ReceivedEvent[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      received.push(...blocks.flatMap(parseEvent));
    }
  };
  let isOver = false;
  const ended = read()
    .catch(() => {})
    .finally(() => (isOver = true));
  return {
    received,
    ended,
    hasEnded: () => isOver,
    find: async (event, matches = () => true) => {
      const search = () => received.find((one) => one.event === event && matches(one.data));
      return (await waitFor(search, { what: `the event ${event}` })).data;
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      await ended;
    },
  };
}

function parseEvent(block: string): ReceivedEvent[] {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/u.exec(block) ?? [];
  if (event === undefined || data === undefined) return [];
  return [{ event, data: JSON.parse(data) as Record<string, unknown> }];
}
