import type { Readable } from 'node:stream';

/** How long a stream may take to end in order: a client that does not read would hold it open. */
const graceMs = 1_000;

/** Destroys a stream with the reason of a signal, a moment after it has fired, until it is disposed of. */
export function cutOffLater(stream: Readable, signal: AbortSignal): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    const reason: unknown = signal.reason;
    timer = setTimeout(() => stream.destroy(reason instanceof Error ? reason : undefined), graceMs);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  return {
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', begin);
      clearTimeout(timer);
    },
  };
}
