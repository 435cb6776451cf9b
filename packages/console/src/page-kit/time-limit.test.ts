import { describe, expect, it } from 'vitest';
import { piecesInTime, startTimeLimit, type TimeLimit } from './time-limit.ts';

const pause = (forMs: number) => new Promise((resolve) => setTimeout(resolve, forMs));

/** A response whose body has these pieces, one each so many milliseconds; it ends as that of a fetch with the signal of a limit. */
function slowResponse({ signal }: TimeLimit, pieces: readonly string[], everyMs: number): Response {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      signal.addEventListener('abort', () => controller.error(signal.reason));
      for (const piece of pieces) {
        controller.enqueue(new TextEncoder().encode(piece));
        await pause(everyMs);
        if (signal.aborted) return;
      }
      controller.close();
    },
  });
  return new Response(body);
}

async function textOf(response: Response, limit: TimeLimit): Promise<string> {
  let text = '';
  for await (const piece of piecesInTime(response, limit)) text += piece;
  return text;
}

describe('the time limit of a request', () => {
  it('ends what has no answer in time', async () => {
    const limit = startTimeLimit(20, undefined);
    expect([limit.signal.aborted, limit.isUp()]).toEqual([false, false]);
    await pause(60);
    expect([limit.signal.aborted, limit.isUp()]).toEqual([true, true]);
  });

  it('ends nothing after it was stopped, and without a time', async () => {
    const stopped = startTimeLimit(20, undefined);
    stopped.stop();
    const endless = startTimeLimit(undefined, null);
    endless.restart();
    await pause(60);
    expect([stopped.isUp(), endless.isUp()]).toEqual([false, false]);
  });

  it('tells the end of the time from that by the owner', () => {
    const owner = new AbortController();
    const limit = startTimeLimit(1_000, owner.signal);
    owner.abort();
    expect([limit.signal.aborted, limit.isUp()]).toEqual([true, false]);
    limit.stop();
  });

  it('does not cut a body that takes longer, as long as something arrives', async () => {
    const limit = startTimeLimit(200, undefined);
    const pieces = Array.from({ length: 10 }, (_, index) => `line ${index}\n`);
    expect(await textOf(slowResponse(limit, pieces, 50), limit)).toBe(pieces.join(''));
    limit.stop();
  });

  it('ends a body that stands still', async () => {
    const limit = startTimeLimit(50, undefined);
    await expect(textOf(slowResponse(limit, ['begun', 'never read'], 1_000), limit)).rejects.toThrow();
    expect(limit.isUp()).toBe(true);
  });

  it('ends the request when its reader has enough', async () => {
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode('one')),
      cancel: () => {
        isCancelled = true;
      },
    });
    const limit = startTimeLimit(1_000, undefined);
    for await (const piece of piecesInTime(new Response(body), limit)) {
      expect(piece).toBe('one');
      break;
    }
    expect(isCancelled).toBe(true);
    limit.stop();
  });
});
