import { finished, type Readable } from 'node:stream';

/** How much unread content is buffered before the client has to wait. */
const waitingBytesAtMost = 256 * 1024;

/**
 * The chunks of a body as they arrive. Unlike a stream's iterator it lets the stream flow, without a pause for each
 * chunk, and leaves it open, so that a response can still be sent. They end when `signal` fires.
 * @throws errors of the body, and the reason of the signal
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
