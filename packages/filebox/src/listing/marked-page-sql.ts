import type { EntryFilter, EntrySort } from '../model/entry-query.ts';
import type { PageMark } from './caches/page-marks.ts';
import { pageColumns } from './page-row.ts';
import type { BoundSql } from './sql/entry-filter-sql.ts';
import { entryFilterSql } from './sql/entry-filter-sql.ts';
import { entryOrders, orderSql } from './sql/entry-order.ts';

/** Consecutive entries in an ascending order. */
export interface MarkedPart {
  readonly sort: EntrySort;
  readonly type: NonNullable<EntryFilter['type']>;
  /** An entry at or before the first one. */
  readonly mark: PageMark;
  /** Both it and the first one have a sort value, or neither has. */
  readonly isFirstAlike: boolean;
  /** The number of entries from the mark to the first one. */
  readonly skip: number;
  readonly take: number;
}

/** Where the scan begins, as SQL. */
interface Beginning {
  readonly key: string;
  readonly name: string;
}

/** The query for entries of the folder `:folderId` behind a mark: it does not read anything before the mark. */
export function markedPageSql(part: MarkedPart): BoundSql {
  const { sort, type, mark, skip, take } = part;
  const bindings = { markName: mark.name, skip, take };
  const atMark = { key: `CAST(:markKey AS ${entryOrders[sort].type})`, name: ':markName' };
  return {
    sql: type === 'all' ? wholePageSql(part, atMark) : pickedPageSql(part, atMark),
    bindings: mark.key === null ? bindings : { ...bindings, markKey: mark.key },
  };
}

/** Skipped entries are read in the index only, to find the first entry; rows are read from there. */
function wholePageSql(part: MarkedPart, atMark: Beginning): string {
  const { sort, isFirstAlike, skip, take } = part;
  if (skip === 0 || take === 0 || !isFirstAlike) return behindSql(part, pageColumns, atMark, ':skip');
  const [condition] = rangesFrom(part, atMark);
  const first = `SELECT ${entryOrders[sort].key ?? 'NULL'} AS key, name FROM filebox.entries
    WHERE parent_id = :folderId AND ${condition} ORDER BY ${orderSql(sort, 'ASC')} OFFSET :skip LIMIT 1`;
  const atFirst = { key: '(SELECT key FROM first)', name: '(SELECT name FROM first)' };
  return `WITH first AS MATERIALIZED (${first}) ${behindSql(part, pageColumns, atFirst, '0')}`;
}

/** If entries are skipped, rows are read only after they are known to belong to the page. */
function pickedPageSql(part: MarkedPart, atMark: Beginning): string {
  const { key } = entryOrders[part.sort];
  const picked = behindSql(part, `id, name${key ? `, ${key}` : ''}`, atMark, ':skip');
  return `SELECT ${pageColumns} FROM (SELECT id FROM (${picked}) AS behind) AS picked JOIN filebox.entries USING (id)`;
}

function behindSql(part: MarkedPart, columns: string, beginning: Beginning, skip: ':skip' | '0'): string {
  const order = orderSql(part.sort, 'ASC');
  const filter = entryFilterSql({ type: part.type }).sql;
  const ranges = rangesFrom(part, beginning).map(
    (condition) =>
      `(SELECT ${columns} FROM filebox.entries
        WHERE parent_id = :folderId ${filter} AND ${condition} ORDER BY ${order} LIMIT CAST(${skip} AS bigint) + :take)`,
  );
  return `SELECT * FROM (${ranges.join(' UNION ALL ')}) AS range ORDER BY ${order} OFFSET ${skip} LIMIT :take`;
}

/** Entries without a sort value are together at one end: a scan across that border is two ranges of the index. */
function rangesFrom({ sort, mark }: MarkedPart, { key: keyThere, name }: Beginning): readonly string[] {
  const { key, nulls } = entryOrders[sort];
  if (key === undefined) return [`name >= ${name}`];
  if (mark.key !== null) {
    const withValue = `(${key}, name) >= (${keyThere}, ${name})`;
    return nulls === 'FIRST' ? [withValue] : [withValue, `${key} IS NULL`];
  }
  const without = `${key} IS NULL AND name >= ${name}`;
  return nulls === 'FIRST' ? [without, `${key} IS NOT NULL`] : [without];
}
