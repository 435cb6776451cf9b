import type { EntryFilter } from '../model/entry-query.ts';
import { knownTotalIn, type CachedTotals, rememberCounted, statesOf } from './caches/cached-totals.ts';
import type { ListingParts } from './caches/listing-parts.ts';
import { entryCountSql } from './sql/entry-count-sql.ts';
import type { BoundSql } from './sql/entry-filter-sql.ts';

/** The columns of `totalSql`. */
export interface TotalRow {
  /** Null if the folder is in a state for which the total is known. */
  total: string | null;
  /** The state of the folder; null while it is empty, and if no state is needed. */
  folder_state: string | null;
}

/**
 * Columns with the total of a filter and the state of the folder `:folderId`, both from one snapshot. A total that is
 * known for that state is not counted.
 */
export function totalSql(filter: EntryFilter, known: CachedTotals): BoundSql {
  const { sql, bindings } = entryCountSql(filter);
  if ((filter.pattern ?? '*') === '*')
    return { sql: `(${sql}) AS total, CAST(NULL AS text) AS folder_state`, bindings };
  const state = '(SELECT filebox.folder_state(:folderId))';
  return {
    sql: `CASE WHEN ${state} = ANY (CAST(:knownStates AS text[])) THEN NULL ELSE (${sql}) END AS total,
      ${state} AS folder_state`,
    bindings: { ...bindings, knownStates: statesOf(known) },
  };
}

/** The total of a row, which is cached from now on. */
export async function totalOf(
  parts: ListingParts,
  { total, folder_state: state }: TotalRow,
  about: { folderId: string; filter: EntryFilter; known: CachedTotals },
): Promise<number> {
  if (total === null) return state === null ? 0 : knownTotalIn(parts, state, about);
  if (state !== null) rememberCounted(parts, state, { ...about, total: Number(total) });
  return Number(total);
}
