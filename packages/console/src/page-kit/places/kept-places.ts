/** Places of users, by what they are in. The one that is used last is the last one. */
export interface KeptPlaces<T> {
  find(key: string): T | undefined;
  set(key: string, place: T): void;
}

/** More places are not kept. */
const keptAtMost = 100;

/** Stored places of one kind have at most so many characters: those that were used last. */
const storedAtMost = 500_000;

interface Kind {
  readonly store: () => void;
  readonly forget: () => void;
}

const kinds: Kind[] = [];

/**
 * Keeps places for as long as the tab of the browser, also over a reload: when the page is left, they are written to the session
 * storage. `parse` returns a stored place, or undefined for what is none.
 */
export function createKeptPlaces<T>(storageKey: string, parse: (value: unknown) => T | undefined): KeptPlaces<T> {
  const places = new Map(readStored(storageKey, parse));
  kinds.push({
    store: () => storeKind(storageKey, places),
    forget: () => {
      places.clear();
      sessionStorage.removeItem(storageKey);
    },
  });
  return {
    find: (key) => places.get(key),
    set(key, place) {
      places.delete(key);
      places.set(key, place);
      const [oldest] = places.keys();
      if (places.size > keptAtMost && oldest !== undefined) places.delete(oldest);
    },
  };
}

/** Forgets all places, for the next user of the tab. */
export function forgetPlaces(): void {
  for (const { forget } of kinds) forget();
}

/** Writes all places to the session storage: the page is left. */
export function storePlaces(): void {
  for (const { store } of kinds) store();
}

function storeKind(storageKey: string, places: ReadonlyMap<string, unknown>): void {
  const newest: string[] = [];
  let length = 0;
  for (const place of [...places].toReversed()) {
    const text = JSON.stringify(place);
    length += text.length;
    if (length > storedAtMost) break;
    newest.unshift(text);
  }
  try {
    sessionStorage.setItem(storageKey, `[${newest.join(',')}]`);
  } catch {
    // The storage is full or forbidden: the places end with the page.
  }
}

/** The places that were stored, from the oldest one. */
function readStored<T>(storageKey: string, parse: (value: unknown) => T | undefined): (readonly [string, T])[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.flatMap((pair: unknown) => {
      if (!Array.isArray(pair) || typeof pair[0] !== 'string') return [];
      const place = parse(pair[1]);
      return place === undefined ? [] : [[pair[0], place] as const];
    });
  } catch {
    return [];
  }
}
