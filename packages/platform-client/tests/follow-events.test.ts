import { followJobsEndpoint } from '@waybill/contracts/endpoints/jobs/follow-jobs';
import { createClient } from '@waybill/platform-client/create-client';
import { accessToken } from '@waybill/platform-client/credentials/credentials';
import { followEvents } from '@waybill/platform-client/events/follow-events';
import { parseEvents } from '@waybill/platform-client/events/parse-events';
import { expect, it } from 'vitest';
import { type Answer, events, problem, reset, startScriptedServer } from './scripted-server.ts';

const repetition = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };

async function parsed(chunks: readonly string[]): Promise<unknown[]> {
  async function* bytes() {
    for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
  }
  const found: unknown[] = [];
  for await (const { event, data, id } of parseEvents(bytes())) found.push([event, data, id]);
  return found;
}

it('events are found however the stream is cut, with any line ends', async () => {
  const text =
    ': comment\n\nid: 7\r\nevent: change\r\ndata: a\r\ndata:b\r\n\r\ndata: \xc3\xa4\rdata\r\revent: lost\n\nnonsense\ndata: cut off';
  const expected = [
    ['change', 'a\nb', '7'],
    ['message', 'ä\n', '7'],
  ];
  expect(await parsed([text])).toEqual(expected);
  expect(await parsed(text.split(''))).toEqual(expected);
});

it('a line without an end is refused before it fills the memory', async () => {
  const part = 'x'.repeat(1_048_576);
  await expect(parsed(Array.from({ length: 20 }, () => part))).rejects.toThrow('too long');
});

async function follow(answers: readonly Answer[], count: number, patienceMs = 60_000) {
  await using server = await startScriptedServer(answers);
  await using client = createClient({ url: server.url, credentials: accessToken('t'), repetition });
  const received: string[] = [];
  const abort = new AbortController();
  const run = async (): Promise<void> => {
    for await (const { data } of followEvents(client, followJobsEndpoint, {}, { signal: abort.signal, patienceMs })) {
      received.push(data);
      if (received.length === count) abort.abort();
    }
  };
  const error = await run().catch((thrown: unknown) => thrown);
  return {
    received,
    error,
    requests: server.requests.length,
    ids: server.headers.map((each) => each['last-event-id']),
  };
}

it('after an interruption it asks for what came after the last event', async () => {
  const answers = [
    events('id: 1\ndata: a\n\n', 'id: 2\ndata: b\n\n'),
    reset,
    problem(503, 'service_unavailable'),
    events('id: 3\ndata: c\n\n', 'data: cut off'),
    events('id: 4\ndata: d\n\n'),
  ];
  expect(await follow(answers, 4)).toEqual({
    received: ['a', 'b', 'c', 'd'],
    error: undefined,
    requests: 5,
    ids: [undefined, '2', '2', '2', '3'],
  });
});

it('a refusal ends it, also later, and so does a platform that is not there from the beginning', async () => {
  const later = await follow([events('data: a\n\n'), problem(403, 'not_permitted')], 9);
  expect(later).toMatchObject({ received: ['a'], error: { code: 'not_permitted' }, requests: 2 });
  expect(await follow([reset], 1)).toMatchObject({ received: [], error: { code: 'interrupted' }, requests: 1 });
});

it('a platform that stays away ends it when the patience is over', async () => {
  const { error } = await follow([events('data: a\n\n'), reset], 9, 300);
  expect(error).toMatchObject({ code: 'interrupted' });
});
