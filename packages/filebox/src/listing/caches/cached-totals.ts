import type { EntryFilter } from '../../model/entry-query.ts';
import { countByNames, isCountedByNames, type FolderNames } from './folder-names.ts';
import type { ListingParts } from './listing-parts.ts';
import type { KnownTotal } from './total-cache.ts';

/** What is known about a filter's total without counting rows, for some states of the folder. */
export interface CachedTotals {
  readonly total: KnownTotal | undefined;
  readonly names: FolderNames | undefined;
}

/** Finds the cached totals. A total that leaves out names is not cached. */
export function findCachedTotals(
  { totals, folderNameCache }: ListingParts,
  folderId: string,
  filter: EntryFilter,
): CachedTotals {
  return {
    total: hasOwnTotal(filter) ? totals.find(folderId, filter) : undefined,
    names: isCountedByNames(filter) ? folderNameCache.find(folderId) : undefined,
  };
}

/** The states of the folder for which something is known. */
export function statesOf({ total, names }: CachedTotals): string[] {
  return [total?.state, names?.state].filter((state) => state !== undefined);
}

/** The total in a state for which something is known. */
export async function knownTotalIn(
  { totals, counts }: ListingParts,
  state: string,
  { folderId, filter, known }: { folderId: string; filter: EntryFilter; known: CachedTotals },
): Promise<number> {
  if (known.total?.state === state) {
    counts.inc({ from: 'memory' });
    return known.total.total;
  }
  if (known.names?.state !== state) throw new Error('nothing is known of that state');
  counts.inc({ from: 'names' });
  const total = await countByNames(known.names, filter);
  if (hasOwnTotal(filter)) totals.remember(folderId, filter, { state, total });
  return total;
}

/** Caches a total that the database counted, and has the names ready for the next pattern. */
export function rememberCounted(
  { totals, folderNameCache, counts }: ListingParts,
  state: string,
  { folderId, filter, total }: { folderId: string; filter: EntryFilter; total: number },
): void {
  counts.inc({ from: 'database' });
  if (hasOwnTotal(filter)) totals.remember(folderId, filter, { state, total });
  if (isCountedByNames(filter)) folderNameCache.refresh(folderId);
}

function hasOwnTotal({ without = [] }: EntryFilter): boolean {
  return without.length === 0;
}
