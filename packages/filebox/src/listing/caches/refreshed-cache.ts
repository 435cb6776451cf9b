/** A cache whose values are read in the background. */
export interface RefreshedCache<Key, Value> {
  /** The last value, which may be outdated. */
  find(key: Key): Value | undefined;
  /**
   * Reads the value again in the background; not while it is being read, nor continuously for a key that keeps
   * changing.
   */
  refresh(key: Key): void;
  /** The weight of the whole cache. */
  weight(): number;
  /** Resolves when no read is running. */
  settle(): Promise<void>;
}

/** How a cache reads, and what it evicts. */
export interface RefreshedCacheOptions<Key, Value> {
  /** A unique name for each key. */
  nameOf: (key: Key) => string;
  /** Undefined if there is no value; a failure counts as that, and the next request repeats the read. */
  read: (key: Key) => Promise<Value | undefined>;
  /** The weight of a value, and of a key without one. */
  weightOf: (value: Value | undefined) => number;
  /** Beyond this the least recently used keys are evicted. */
  weightAtMost: number;
  /** A key is read again only after this multiple of the time that its read took; default: 10. */
  restFactor?: number | undefined;
}

interface Remembered<Value> {
  value: Value | undefined;
  weight: number;
  restUntil: number;
}

/** A cache that evicts the least recently used keys. */
export function createRefreshedCache<Key, Value>(
  options: RefreshedCacheOptions<Key, Value>,
): RefreshedCache<Key, Value> {
  const { nameOf, weightOf, weightAtMost, restFactor = 10 } = options;
  const remembered = new Map<string, Remembered<Value>>();
  const running = new Map<string, Promise<void>>();
  let weight = 0;

  const forget = (name: string): void => {
    weight -= remembered.get(name)?.weight ?? 0;
    remembered.delete(name);
  };
  const remember = (name: string, known: Remembered<Value>): void => {
    forget(name);
    remembered.set(name, known);
    weight += known.weight;
    for (const oldest of remembered.keys()) {
      if (weight <= weightAtMost) return;
      forget(oldest);
    }
  };
  const read = async (name: string, key: Key): Promise<void> => {
    const startedAt = performance.now();
    const value = await options.read(key).catch(() => undefined);
    const endedAt = performance.now();
    remember(name, { value, weight: weightOf(value), restUntil: endedAt + (endedAt - startedAt) * restFactor });
    running.delete(name);
  };

  return {
    find: (key) => {
      const known = remembered.get(nameOf(key));
      if (known) remember(nameOf(key), known);
      return known?.value;
    },
    refresh: (key) => {
      const name = nameOf(key);
      if (running.has(name) || performance.now() < (remembered.get(name)?.restUntil ?? 0)) return;
      running.set(name, read(name, key));
    },
    weight: () => weight,
    settle: async () => {
      await Promise.all(running.values());
    },
  };
}
