import type { EntryFilter } from '../../model/entry-query.ts';

/** The size of the cache. */
const totalsAtMost = 2_000;

/** The number of entries of a folder that pass a filter, for one state of the folder. */
export interface KnownTotal {
  readonly state: string;
  readonly total: number;
}

/** A cache of counted totals. */
export interface TotalCache {
  /** The last total, which may be outdated. */
  find(folderId: string, filter: EntryFilter): KnownTotal | undefined;
  remember(folderId: string, filter: EntryFilter, known: KnownTotal): void;
}

/** A cache that evicts the oldest totals first. */
export function createTotalCache(): TotalCache {
  const totals = new Map<string, KnownTotal>();
  return {
    find: (folderId, filter) => totals.get(keyOf(folderId, filter)),
    remember: (folderId, filter, known) => {
      const key = keyOf(folderId, filter);
      totals.delete(key);
      totals.set(key, known);
      const [oldest] = totals.keys();
      if (totals.size > totalsAtMost && oldest !== undefined) totals.delete(oldest);
    },
  };
}

function keyOf(folderId: string, { pattern = '*', type = 'all' }: EntryFilter): string {
  return `${folderId} ${type} ${pattern}`;
}
