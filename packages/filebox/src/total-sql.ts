import { entryCountSql } from './entry-count-sql.ts';
import type { BoundSql } from './entry-filter-sql.ts';
import type { EntryFilter } from './entry-query.ts';
import type { KnownTotal, TotalCache } from './total-cache.ts';

/** What `totalSql` answers. */
export interface TotalRow {
  /** Null when the total that was known is still true. */
  total: string | null;
  /** Of the folder; null while it is empty, and where no state is needed. */
  folder_state: string | null;
}

/**
 * Columns with the total of a filter and the state of the folder. What had to be counted once is not counted again
 * before the folder `:folderId` changes, unless names are left out; both columns are of one moment.
 */
export function totalSql(filter: EntryFilter, known: KnownTotal | undefined): BoundSql {
  const { sql, bindings } = entryCountSql(filter);
  if ((filter.pattern ?? '*') === '*' || (filter.without ?? []).length > 0)
    return { sql: `(${sql}) AS total, CAST(NULL AS text) AS folder_state`, bindings };
  const state = '(SELECT filebox.folder_state(:folderId))';
  return {
    sql: `CASE WHEN ${state} = :knownState THEN NULL ELSE (${sql}) END AS total, ${state} AS folder_state`,
    bindings: { ...bindings, knownState: known?.state ?? '' },
  };
}

/** The total that a row tells, and from now on known. */
export function totalOf(
  { total, folder_state: state }: TotalRow,
  {
    totals,
    folderId,
    filter,
    known,
  }: { totals: TotalCache; folderId: string; filter: EntryFilter } & {
    known: KnownTotal | undefined;
  },
): number {
  if (total === null) return known?.total ?? 0;
  if (state !== null) totals.remember(folderId, filter, { state, total: Number(total) });
  return Number(total);
}
