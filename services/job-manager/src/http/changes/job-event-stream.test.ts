import { jobIdSchema } from '@waybill/contracts/values/job-id';
import { afterEach, expect, it, vi } from 'vitest';
import type { StatusChange } from '../../domain/changes/status-change.ts';
import { JobEventStream, type JobEventStreamOptions } from './job-event-stream.ts';

afterEach(() => {
  vi.useRealTimers();
});

function change(id: number, parts: Partial<StatusChange> = {}): StatusChange {
  return {
    id,
    jobId: jobIdSchema.parse(7),
    from: 'RUNNING',
    to: 'COMPLETED',
    transition: 'complete',
    at: new Date(0),
    queue: 'q',
    contract: 'c',
    action: 'a',
    ...parts,
  };
}

/** A stream over a history of this length. */
function createStream(length: number, options: Partial<JobEventStreamOptions> = {}) {
  const cutOff = vi.fn<() => void>();
  const stream = new JobEventStream({
    filter: {},
    source: {
      between: (after, through, limit) =>
        Promise.resolve(
          Array.from({ length: Math.min(limit, Math.min(through, length) - after) }, (_, index) =>
            change(after + index + 1),
          ),
        ),
    },
    endsAt: Date.now() + 60_000,
    onCutOff: cutOff,
    ...options,
  });
  return { stream, cutOff };
}

/** The names and the ids of all events until the stream ends. */
async function collect(stream: JobEventStream): Promise<string[]> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return [...text.matchAll(/id: (\d+)\nevent: (\w+)\n/gu)].map(([, id, event]) => `${event} ${id}`);
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

it('begins with its position, then sends the changes that match all filters', async () => {
  const { stream } = createStream(5, { filter: { status: 'ERROR', queue: 'q', contract: 'c' } });
  stream.receive([change(6, { to: 'ERROR' }), change(7), change(8, { to: 'ERROR', queue: 'other' })]);
  stream.begin({ position: 5, after: undefined });
  const events = collect(stream);
  await soon();
  stream.receive([change(9, { to: 'ERROR', contract: 'other' }), change(10, { to: 'ERROR' })]);
  await soon();
  stream.finish();
  expect(await events).toEqual(['ready 5', 'change 6', 'change 10']);
});

it('sends what was missed, in pages, before what has happened meanwhile', async () => {
  const { stream } = createStream(1_700);
  stream.receive([change(1_701)]);
  stream.begin({ position: 1_700, after: 100 });
  const events = collect(stream);
  await soon();
  stream.receive([change(1_702)]);
  await soon();
  stream.finish();
  expect(await events).toEqual(['ready 100', ...Array.from({ length: 1_602 }, (_, index) => `change ${index + 101}`)]);
});

it('tells a client that has missed too much to begin again', async () => {
  const { stream } = createStream(20_000);
  stream.begin({ position: 20_000, after: 9_999 });
  stream.finish();
  expect(await collect(stream)).toEqual(['reset 20000']);
});

it.each([
  ['accepts an id that is ahead of this process', 12, 'ready 12'],
  ['tells a client to begin again whose id is far ahead: it is of another database', 999_999_999_999_999, 'reset 10'],
])('%s', async (_, after, expected) => {
  const { stream } = createStream(10);
  stream.begin({ position: 10, after });
  stream.finish();
  expect(await collect(stream)).toEqual([expected]);
});

it('ends when its reader is too slow, with bounded memory', async () => {
  const { stream, cutOff } = createStream(0);
  stream.begin({ position: 0, after: undefined });
  for (let id = 1; id < 20_000; id += 1) stream.receive([change(id)]);
  expect(cutOff).toHaveBeenCalledTimes(1);
  expect(stream.readableLength).toBeLessThan(128 * 1024);
  // It ends in order: the reader knows the last event that it got, and connects again.
  expect((await collect(stream)).length).toBeLessThan(2_000);
});

it('sends heartbeats, and ends when the token of its reader expires', async () => {
  vi.useFakeTimers();
  const { stream } = createStream(0, { heartbeatMs: 1_000, endsAt: Date.now() + 2_500 });
  stream.begin({ position: 0, after: undefined });
  let text = '';
  stream.on('data', (chunk) => (text += String(chunk)));
  const ended = new Promise((resolve) => stream.once('end', resolve));
  await vi.advanceTimersByTimeAsync(3_000);
  await ended;
  expect(text.match(/: still here/gu)).toHaveLength(2);
});
