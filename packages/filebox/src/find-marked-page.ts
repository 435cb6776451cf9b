import { orderSql } from './entry-order.ts';
import type { EntryFilter, EntryQuery } from './entry-query.ts';
import type { EntryRow } from './entry-row.ts';
import type { ListingParts } from './listing-parts.ts';
import { markedPageSql } from './marked-page-sql.ts';
import { markBefore, type PageMarks } from './page-marks.ts';

/** Pages that begin sooner are found as quickly from the end of the folder that they are near to. */
const farAway = 1_000;

/** Rows of a page, in its order, with the total of the same moment. */
export interface FoundPage {
  readonly rows: readonly EntryRow[];
  readonly total: number;
}

type PageRow = (EntryRow | { id: null }) & { folder_state: string | null };

/**
 * A page far inside a folder, found from a mark near to it. Undefined when there are no marks, or the folder has changed
 * since; they are made anew then, for the pages to come.
 */
export async function findMarkedPage(
  { db, pageMarks }: ListingParts,
  folderId: string,
  query: EntryQuery,
): Promise<FoundPage | undefined> {
  const { sort = 'name', type = 'all', pattern = '*', start = 0 } = query;
  if (pattern !== '*' || start < farAway) return undefined;
  const order = { folderId, sort, type };
  const known = pageMarks.find(order);
  if (known) {
    const { sql, bindings } = pageSql({ ...query, sort, type }, known);
    const { rows } = await db.raw<{ rows: PageRow[] }>(sql, { ...bindings, folderId, state: known.state });
    if (rows[0]?.folder_state === known.state) {
      return { rows: rows.filter((row): row is EntryRow & PageRow => row.id !== null), total: known.total };
    }
  }
  pageMarks.refresh(order);
  return undefined;
}

/** A page in descending order is the one as far from the other end, turned round. */
function pageSql(query: EntryQuery & Required<Pick<EntryQuery & EntryFilter, 'sort' | 'type'>>, known: PageMarks) {
  const { sort, type, direction = 'ASC', start = 0, limit = 500 } = query;
  const take = Math.max(0, Math.min(limit, known.total - start));
  const first = direction === 'ASC' ? start : known.total - start - take;
  const mark = markBefore(known, Math.max(0, first)) ?? { rank: 0, key: null, name: '' };
  const page = markedPageSql({ sort, type, mark, skip: Math.max(0, first - mark.rank), take });
  return {
    sql: `SELECT folder.folder_state, page.* FROM (SELECT filebox.folder_state(:folderId)) AS folder
      LEFT JOIN LATERAL (${page.sql}) AS page ON folder.folder_state = :state ORDER BY ${orderSql(sort, direction)}`,
    bindings: page.bindings,
  };
}
