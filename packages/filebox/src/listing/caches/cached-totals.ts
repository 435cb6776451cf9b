import type { EntryFilter } from '../../model/entry-query.ts';
import { countByNames, isCountedByNames, type FolderNames } from './folder-names.ts';
import type { ListingParts } from './listing-parts.ts';
import type { KnownTotal } from './total-cache.ts';

/** What can be told of a filter's total without counting rows, if the folder is in one of the states that this is of. */
export interface CachedTotals {
  readonly total: KnownTotal | undefined;
  readonly names: FolderNames | undefined;
}

/** Looks up what is known. What names are left out decides too, and is not remembered. */
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

/** The states of the folder that something is known of. */
export function statesOf({ total, names }: CachedTotals): string[] {
  return [total?.state, names?.state].filter((state) => state !== undefined);
}

/** The total in a state that something is known of. */
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

/** Keeps what was counted in the database, and has the names ready for the next pattern. */
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
