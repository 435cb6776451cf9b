import { setTimeout as sleep } from 'node:timers/promises';

/** Answers when so many more bytes may follow. */
export type Pace = (bytes: number) => Promise<void>;

/** Keeps all who share it together to so many bytes a second, until it is stopped: then it throws the signal's reason. */
export function createPace(bytesPerSecond: number, signal: AbortSignal): Pace {
  let freeAt = 0;
  return async (bytes) => {
    signal.throwIfAborted();
    const now = performance.now();
    freeAt = Math.max(now, freeAt) + (bytes / bytesPerSecond) * 1_000;
    if (freeAt > now) await sleep(freeAt - now, undefined, { signal });
  };
}
