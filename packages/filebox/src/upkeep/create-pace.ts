import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when that many more bytes may be processed. */
export type Pace = (bytes: number) => Promise<void>;

/**
 * Limits all its callers together to a number of bytes a second, until it is stopped: then it throws the signal's
 * reason.
 */
export function createPace(bytesPerSecond: number, signal: AbortSignal): Pace {
  let freeAt = 0;
  return async (bytes) => {
    signal.throwIfAborted();
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerSecond) * 1_000;
    if (freeAt > now) await sleep(freeAt - now, undefined, { signal });
  };
}
