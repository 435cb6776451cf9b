import type { Filters } from '../address/use-filters.ts';

/** What an empty list says: that there is nothing, or that nothing matches the filters that are set. */
export function emptyText(
  words: { readonly none: string; readonly noneMatches: string },
  filters: Filters<string>,
): string {
  return Object.keys(filters).length > 0 ? words.noneMatches : words.none;
}
