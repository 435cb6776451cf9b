import type { EntryFilter } from '../../model/entry-query.ts';

/** Totals that are remembered. */
const totalsAtMost = 2_000;

/** How many entries of a folder in a certain state pass a filter. */
export interface KnownTotal {
  readonly state: string;
  readonly total: number;
}

/** Totals that had to be counted. */
export interface TotalCache {
  /** What was counted last, which may be outdated. */
  find(folderId: string, filter: EntryFilter): KnownTotal | undefined;
  remember(folderId: string, filter: EntryFilter, known: KnownTotal): void;
}

/** A cache that forgets what was counted first. */
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
