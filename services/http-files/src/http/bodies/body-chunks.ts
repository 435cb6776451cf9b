import { finished, type Readable } from 'node:stream';

/** What may have come and not been asked for before the client has to wait. */
const waitingBytesAtMost = 256 * 1024;

/**
 * The chunks of a body as they come. Unlike the iterator of a stream this one has the stream flow, without a stop and a
 * start for each chunk, and leaves it open, so that the client can still be answered. They end when `signal` fires.
 * @throws what the body fails with, and the reason of the signal
 */
export async function* bodyChunks(body: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = [];
  let waitingBytes = 0;
  let end: { error: Error | null | undefined } | undefined;
  let wake = (): void => {};
  const take = (chunk: Buffer): void => {
    chunks.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= waitingBytesAtMost) body.pause();
    wake();
  };
  const stopWatching = finished(body, { writable: false }, (error) => {
    end = { error };
    wake();
  });
  const stop = (): void => wake();
  signal?.addEventListener('abort', stop);
  body.on('data', take);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const taken = chunks;
      chunks = [];
      for (const chunk of taken) {
        waitingBytes -= chunk.length;
        yield chunk;
      }
      if (chunks.length > 0) continue;
      if (end?.error) throw end.error;
      if (end) return;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      body.resume();
      await woken;
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    body.off('data', take);
    body.pause();
    stopWatching();
  }
}
