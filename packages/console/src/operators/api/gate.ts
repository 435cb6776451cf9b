/** Runs work when there is room for it. `signal` ends the waiting. */
export type Gate = <T>(work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * Lets some work run at a time, of all pages of the browser together. What waits on a page begins in the order in which it came.
 * Browsers have locks only on pages that came over HTTPS, or from this computer: other pages count for themselves.
 */
export function createGate(name: string, atOnce: number): Gate {
  const free = Array.from({ length: atOnce }, (_, index) => `waybill-${name}-${index}`);
  const waiting: ((lock: string) => void)[] = [];
  return async (work, signal) => {
    const lock = free.shift() ?? (await nextOf(waiting, signal));
    try {
      signal.throwIfAborted();
      return await ('locks' in navigator ? navigator.locks.request(lock, { signal }, work) : work());
    } finally {
      const next = waiting.shift();
      if (next === undefined) free.push(lock);
      else next(lock);
    }
  };
}

function nextOf(waiting: ((lock: string) => void)[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    waiting.push(resolve);
    const leave = (): void => {
      const place = waiting.indexOf(resolve);
      if (place >= 0) waiting.splice(place, 1);
      reject(new DOMException('The signal has ended the waiting', 'AbortError'));
    };
    signal.addEventListener('abort', leave, { once: true });
  });
}
