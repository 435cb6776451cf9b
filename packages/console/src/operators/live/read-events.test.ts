import { expect, it } from 'vitest';
import { readEvents } from './read-events.ts';

it('reads events, however they are cut, and tells of all that arrives, comments, too', async () => {
  const pieces = [
    'event: rea',
    'dy\ndata: {}\n\n: still here\n\n',
    'id: 7\nevent: change\ndata: one\ndata: two\r\n\r\n',
  ];
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of [...pieces, ': still here\n\n']) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  let arrivals = 0;
  const onArrival = (): void => void (arrivals += 1);
  const events = [];
  for await (const event of readEvents(new Response(body), onArrival)) events.push(event);
  expect(events).toEqual([
    { event: 'ready', data: '{}', id: undefined },
    { event: 'change', data: 'one\ntwo', id: '7' },
  ]);
  expect(arrivals).toBe(4);
});

it('ends the request when its reader has enough', async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('data: one\n\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const { data } of readEvents(new Response(body), () => undefined)) {
    expect(data).toBe('one');
    break;
  }
  expect(isCancelled).toBe(true);
});
