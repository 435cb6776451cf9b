/** Caches results briefly. */
export interface ShortLivedCache<V> {
  /** The result for `key`; calls `load` if there is none, or if it is too old. Failures are not cached. */
  get(key: string, load: () => Promise<V>): Promise<V>;
}

interface Remembered<V> {
  readonly askedAt: number;
  readonly answer: Promise<V>;
}

/**
 * Caches results for `maxAgeMs` from the start of the call, so that results are never older than that. Concurrent
 * callers wait for the same call.
 */
export function createShortLivedCache<V>(options: {
  maxAgeMs: number;
  maxEntries?: number;
  /** Milliseconds on a clock that never goes back. */
  now?: () => number;
}): ShortLivedCache<V> {
  const { maxAgeMs, maxEntries = 10_000, now = () => performance.now() } = options;
  // In the order of `askedAt`, the oldest first.
  const remembered = new Map<string, Remembered<V>>();
  const isFresh = ({ askedAt }: Remembered<V>): boolean => now() - askedAt < maxAgeMs;

  const forgetOld = (): void => {
    for (const [key, entry] of remembered) {
      if (isFresh(entry) && remembered.size <= maxEntries) return;
      remembered.delete(key);
    }
  };

  return {
    get: async (key, load) => {
      const known = remembered.get(key);
      if (known && isFresh(known)) return known.answer;
      const entry = { askedAt: now(), answer: load() };
      remembered.delete(key);
      remembered.set(key, entry);
      entry.answer.catch(() => {
        if (remembered.get(key) === entry) remembered.delete(key);
      });
      forgetOld();
      return entry.answer;
    },
  };
}
