import type { Database } from '@waybill/postgres/database';
import { type MarkedOrder, type PageMarks, readPageMarks } from './page-marks.ts';

/** Orders of folders that are remembered: some hundred kilobytes each for a million entries. */
const ordersAtMost = 64;

/** Page marks of the folders that are looked into deeply. */
export interface PageMarkCache {
  /** What was found out last, which may be outdated. */
  find(order: MarkedOrder): PageMarks | undefined;
  /** Finds out anew, in the background; not while it is being done, nor all the time in a folder that keeps changing. */
  refresh(order: MarkedOrder): void;
  /** Answers when nothing is under way. */
  settle(): Promise<void>;
}

interface Remembered {
  marks: PageMarks | undefined;
  restUntil: number;
}

/**
 * A cache that forgets what was not asked for longest.
 *
 * @param options.restFactor an order is not made again for so many times as long as making it took; 10 by default
 */
export function createPageMarkCache(db: Database, { restFactor = 10 }: { restFactor?: number } = {}): PageMarkCache {
  const remembered = new Map<string, Remembered>();
  const running = new Map<string, Promise<void>>();

  const remember = (key: string, value: Remembered): void => {
    remembered.delete(key);
    remembered.set(key, value);
    const [oldest] = remembered.keys();
    if (remembered.size > ordersAtMost && oldest !== undefined) remembered.delete(oldest);
  };
  const read = async (key: string, order: MarkedOrder): Promise<void> => {
    const startedAt = performance.now();
    // A database that does not answer now is asked again by the next page.
    const marks = await readPageMarks(db, order).catch(() => undefined);
    const endedAt = performance.now();
    remember(key, { marks, restUntil: endedAt + (endedAt - startedAt) * restFactor });
    running.delete(key);
  };

  return {
    find: (order) => {
      const key = keyOf(order);
      const known = remembered.get(key);
      if (known) remember(key, known);
      return known?.marks;
    },
    refresh: (order) => {
      const key = keyOf(order);
      if (running.has(key) || performance.now() < (remembered.get(key)?.restUntil ?? 0)) return;
      running.set(key, read(key, order));
    },
    settle: async () => {
      await Promise.all(running.values());
    },
  };
}

function keyOf({ folderId, sort, type }: MarkedOrder): string {
  return `${folderId} ${sort} ${type}`;
}
