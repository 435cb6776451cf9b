import type { Queryable } from '@waybill/postgres/database';
import type { EntryFilter, EntrySort } from '../../model/entry-query.ts';
import { entryCountSql } from '../sql/entry-count-sql.ts';
import { entryFilterSql } from '../sql/entry-filter-sql.ts';
import { entryOrders, orderSql } from '../sql/entry-order.ts';

/** Entries between marks: consecutive pages mostly begin at one. */
const stepEntries = 500;

/** An entry from which pages are found. */
export interface PageMark {
  /** The number of entries before it. */
  readonly rank: number;
  /** The sort value before its name, in PostgreSQL's text form. */
  readonly key: string | null;
  readonly name: string;
}

/** Every five hundredth entry of a folder in an ascending order, valid for one state of the folder. */
export interface PageMarks {
  readonly state: string;
  readonly total: number;
  readonly marks: readonly PageMark[];
}

/** The order that the marks belong to. */
export interface MarkedOrder {
  readonly folderId: string;
  readonly sort: EntrySort;
  readonly type: NonNullable<EntryFilter['type']>;
}

/** Reads a whole folder with an index-only scan: half a second for a million entries. Undefined for an empty folder. */
export async function readPageMarks(
  db: Queryable,
  { folderId, sort, type }: MarkedOrder,
): Promise<PageMarks | undefined> {
  const key = entryOrders[sort].key ?? 'NULL';
  const order = orderSql(sort, 'ASC');
  const { rows } = await db.raw<{ rows: MarkRow[] }>(
    `SELECT (SELECT filebox.folder_state(:folderId)) AS state, (${entryCountSql({ type }).sql}) AS total,
       rank, CAST(key AS text) AS key, name
     FROM (
       SELECT row_number() OVER (ORDER BY ${order}) - 1 AS rank, ${key} AS key, name
       FROM filebox.entries WHERE parent_id = :folderId ${entryFilterSql({ type }).sql}
     ) AS ranked
     WHERE rank % ${stepEntries} = 0 ORDER BY rank`,
    { folderId },
  );
  const [first] = rows;
  if (!first?.state) return undefined;
  const marks = rows.map((row) => ({ rank: Number(row.rank), key: row.key, name: row.name }));
  return { state: first.state, total: Number(first.total), marks };
}

interface MarkRow {
  state: string | null;
  total: string;
  rank: string;
  key: string | null;
  name: string;
}

/** The last mark at or before a rank, and the next one. */
export function marksAround({ marks }: PageMarks, rank: number): { mark: PageMark; next: PageMark | undefined } {
  const index = Math.min(Math.floor(rank / stepEntries), marks.length - 1);
  return { mark: marks[index] ?? { rank: 0, key: null, name: '' }, next: marks[index + 1] };
}
