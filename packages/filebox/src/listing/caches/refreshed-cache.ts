/** What is known of many things, found out in the background. */
export interface RefreshedCache<Key, Value> {
  /** What was found out last, which may be outdated. */
  find(key: Key): Value | undefined;
  /** Finds out anew, in the background; not while it is being done, nor all the time for something that keeps changing. */
  refresh(key: Key): void;
  /** What all that is remembered weighs. */
  weight(): number;
  /** Answers when nothing is under way. */
  settle(): Promise<void>;
}

/** How a cache finds out, and what it forgets. */
export interface RefreshedCacheOptions<Key, Value> {
  /** One for each key. */
  nameOf: (key: Key) => string;
  /** Undefined when there is nothing to be known; a failure counts as that, and is tried again by the next who asks. */
  read: (key: Key) => Promise<Value | undefined>;
  /** What a value weighs, and a key without one. */
  weightOf: (value: Value | undefined) => number;
  /** Beyond it what was not asked for longest is forgotten. */
  weightAtMost: number;
  /** Nothing is found out again for so many times as long as it took; 10 by default. */
  restFactor?: number | undefined;
}

interface Remembered<Value> {
  value: Value | undefined;
  weight: number;
  restUntil: number;
}

/** A cache that forgets what was not asked for longest. */
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
