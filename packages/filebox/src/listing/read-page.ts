import type { Queryable } from '@waybill/postgres/database';
import type { EntryQuery } from '../model/entry-query.ts';
import type { PagedEntry } from '../model/paged-entry.ts';
import { type PageRow, pagedEntryOf, pageRowSql } from './page-row.ts';
import type { BoundSql } from './sql/entry-filter-sql.ts';
import { orderSql } from './sql/entry-order.ts';
import { folderBindings, type ListedFolder } from './sql/listed-folder.ts';
import type { TotalRow } from './total-sql.ts';

/** A page, and the state of its folder in the same snapshot. */
export interface ReadPage {
  readonly entries: PagedEntry[];
  readonly total: TotalRow;
}

/** What to read from the folder whose id is bound as `:folderId`. */
export interface PageSql {
  readonly query: EntryQuery;
  /** If it does not hold, the page is invalid. */
  readonly condition: string;
  /** The columns `total` and `folder_state`. */
  readonly total: string;
  /** Rows of the page, with the `pageColumns`. */
  readonly rows: string;
  readonly bindings: BoundSql['bindings'];
}

const jsonbOid = 3802;

/** Values stay in their text form. */
const textOrJson = {
  getTypeParser: (oid: number) => (oid === jsonbOid ? JSON.parse : (value: string) => value),
};

/** Reads a page with one statement. Undefined if its condition does not hold. */
export async function readPage(db: Queryable, folder: ListedFolder, sql: PageSql): Promise<ReadPage | undefined> {
  const { sort = 'name', direction = 'ASC' } = sql.query;
  const { rows } = await db
    .raw<{ rows: PageRow[] }>(
      `WITH head AS MATERIALIZED (SELECT ${sql.condition} AS holds, ${sql.total})
       SELECT ${pageRowSql}
       FROM head LEFT JOIN LATERAL (${sql.rows}) AS page ON head.holds ORDER BY ${orderSql(sort, direction)}`,
      { ...folderBindings(folder), ...sql.bindings },
    )
    .options({ rowMode: 'array', types: textOrJson });
  const [first] = rows;
  if (first?.[0] !== 't') return undefined;
  const [, total, folder_state] = first;
  return { entries: rows.map(pagedEntryOf).filter((entry) => entry !== undefined), total: { total, folder_state } };
}
