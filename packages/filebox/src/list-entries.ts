import { joinVirtualPath, type VirtualPath } from '@waybill/contracts/virtual-path';
import { entryCountSql } from './entry-count-sql.ts';
import { entryFilterSql } from './entry-filter-sql.ts';
import { orderSql } from './entry-order.ts';
import type { EntryPage, EntryQuery } from './entry-query.ts';
import { entryOf, type EntryRow } from './entry-row.ts';
import { findMarkedPage, type FoundPage } from './find-marked-page.ts';
import type { ListingParts } from './listing-parts.ts';
import { requireFolder } from './require-folder.ts';
import { totalOf, type TotalRow, totalSql } from './total-sql.ts';

/** From here on it pays to know from which end a page is nearer. */
const farAway = 1_000;

type PageRow = (EntryRow | { id: null }) & TotalRow;

/** A page of a folder and its total, both of the same moment. @throws CodedError `path_not_found`, `not_a_folder` */
export async function listEntries(
  parts: ListingParts,
  vfsId: string,
  path: VirtualPath,
  query: EntryQuery = {},
): Promise<EntryPage> {
  const { id } = await requireFolder(parts.db, vfsId, path);
  const { rows, total } = (await findMarkedPage(parts, id, query)) ?? (await findPage(parts, id, query));
  return { entries: rows.map((row) => entryOf(row, joinVirtualPath(path, row.name))), totalCount: total };
}

/** Far inside, the ids of a page come from an index alone, counted from the nearer end. */
async function findPage(parts: ListingParts, folderId: string, query: EntryQuery): Promise<FoundPage> {
  const { sort = 'name', direction = 'ASC', start = 0, limit = 500 } = query;
  const { db, totals } = parts;
  const known = totals.find(folderId, query);
  const total = totalSql(query, known);
  const isNearEnd = await isNearerToEnd(parts, folderId, query);
  const { rows } = await db.raw<{ rows: PageRow[] }>(
    `SELECT ${total.sql}, page.* FROM (SELECT 1) AS one LEFT JOIN LATERAL (${pickSql(query, isNearEnd)}) AS page ON true
     ORDER BY ${orderSql(sort, direction)}`,
    { folderId, start, limit, ...entryFilterSql(query).bindings, ...total.bindings },
  );
  return {
    rows: rows.filter((row): row is EntryRow & TotalRow => row.id !== null),
    total: rows[0] ? totalOf(rows[0], { totals, folderId, filter: query, known }) : 0,
  };
}

/** Where all are wanted, what is passed over costs less than finding the rows by their ids. */
function pickSql(query: EntryQuery, isNearEnd: boolean): string {
  const { sort = 'name', direction = 'ASC', type = 'all', pattern = '*', start = 0 } = query;
  const rowsSql = (columns: string, order: 'ASC' | 'DESC', part: string): string =>
    `SELECT ${columns} FROM filebox.entries WHERE parent_id = :folderId ${entryFilterSql(query).sql}
     ORDER BY ${orderSql(sort, order)} ${part}`;
  if (type === 'all' && pattern === '*' && start < farAway)
    return rowsSql('*', direction, 'OFFSET :start LIMIT :limit');
  const total = `(${entryCountSql(query).sql})`;
  const ids = isNearEnd
    ? rowsSql(
        'id',
        direction === 'ASC' ? 'DESC' : 'ASC',
        `OFFSET greatest(0, ${total} - :start - :limit) LIMIT greatest(0, least(:limit, ${total} - :start))`,
      )
    : rowsSql('id', direction, 'OFFSET :start LIMIT :limit');
  return `SELECT e.* FROM (${ids}) AS picked JOIN filebox.entries e ON e.id = picked.id`;
}

async function isNearerToEnd({ db }: ListingParts, folderId: string, query: EntryQuery): Promise<boolean> {
  const { start = 0, pattern = '*' } = query;
  if (start < farAway || pattern !== '*') return false;
  const { rows } = await db.raw<{ rows: { total: string }[] }>(`SELECT (${entryCountSql(query).sql}) AS total`, {
    folderId,
  });
  return start > Number(rows[0]?.total ?? 0) / 2;
}
