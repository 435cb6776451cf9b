import type { BoundSql } from './entry-filter-sql.ts';
import { entryFilterSql } from './entry-filter-sql.ts';
import { entryOrders, orderSql } from './entry-order.ts';
import type { EntryFilter, EntrySort } from './entry-query.ts';
import type { PageMark } from './page-marks.ts';
import { pageColumns } from './page-row.ts';

/** Entries that follow each other in an ascending order. */
export interface MarkedPart {
  readonly sort: EntrySort;
  readonly type: NonNullable<EntryFilter['type']>;
  /** An entry that is not behind the first one. */
  readonly mark: PageMark;
  /** Entries from the mark to the first one. */
  readonly skip: number;
  readonly take: number;
}

/** The query for entries of the folder `:folderId` behind a mark: it looks at nothing before that. */
export function markedPageSql({ sort, type, mark, skip, take }: MarkedPart): BoundSql {
  const { key, type: keyType, nulls } = entryOrders[sort];
  const bindings = { markName: mark.name, skip, take, span: skip + take };
  const order = orderSql(sort, 'ASC');
  // Where some are passed over, rows are looked at only when they are known to be among those that are wanted.
  const isWhole = type === 'all';
  const columns = isWhole ? pageColumns : `id, name${key ? `, ${key}` : ''}`;
  const rangeSql = (condition: string): string =>
    `(SELECT ${columns} FROM filebox.entries
      WHERE parent_id = :folderId ${entryFilterSql({ type }).sql} AND ${condition} ORDER BY ${order} LIMIT :span)`;
  const ranges = rangesBehind(mark, { key, keyType, nulls }).map(rangeSql);
  const picked = `SELECT ${isWhole ? pageColumns : 'id'} FROM (${ranges.join(' UNION ALL ')}) AS behind
    ORDER BY ${order} OFFSET :skip LIMIT :take`;
  return {
    sql: isWhole ? picked : `SELECT ${pageColumns} FROM (${picked}) AS picked JOIN filebox.entries USING (id)`,
    bindings: mark.key === null ? bindings : { ...bindings, markKey: mark.key },
  };
}

/** Entries without a value stand together at one end: what is on both sides of that border is two ranges of the index. */
function rangesBehind(
  mark: PageMark,
  { key, keyType, nulls }: { key: string | undefined; keyType: string; nulls: 'FIRST' | 'LAST' },
): readonly string[] {
  if (key === undefined) return ['name >= :markName'];
  if (mark.key !== null) {
    const withValue = `(${key}, name) >= (CAST(:markKey AS ${keyType}), :markName)`;
    return nulls === 'FIRST' ? [withValue] : [withValue, `${key} IS NULL`];
  }
  const without = `${key} IS NULL AND name >= :markName`;
  return nulls === 'FIRST' ? [without, `${key} IS NOT NULL`] : [without];
}
