import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { EntryPage, EntryQuery } from '../model/entry-query.ts';
import { findCachedTotals } from './caches/cached-totals.ts';
import type { ListingParts } from './caches/listing-parts.ts';
import { findMarkedPage } from './find-marked-page.ts';
import { pageColumns } from './page-row.ts';
import { readPage } from './read-page.ts';
import { entryCountSql } from './sql/entry-count-sql.ts';
import { entryFilterSql } from './sql/entry-filter-sql.ts';
import { orderSql } from './sql/entry-order.ts';
import { folderIsThere, type ListedFolder } from './sql/listed-folder.ts';
import { totalOf, totalSql } from './total-sql.ts';

/** From this distance on it pays to know which end a page is nearer to. */
const farAway = 1_000;

/**
 * A page of a folder and its total, both from the same snapshot. With `foldersFirst`, the folders are from one snapshot
 * and the files from the next one. @throws CodedError `path_not_found`, `not_a_folder`
 */
export async function listEntries(
  parts: ListingParts,
  vfsId: string,
  path: VirtualPath,
  { foldersFirst = false, ...query }: EntryQuery = {},
): Promise<EntryPage> {
  const listOrdered = (part: EntryQuery): Promise<EntryPage> => listInOrder(parts, vfsId, path, part);
  const { type = 'all', start = 0, limit = 500 } = query;
  if (!foldersFirst || type !== 'all') return listOrdered(query);
  // Folders have no size and no dates: in every order they are sorted by name.
  const folders = await listOrdered({ ...query, type: 'folders', sort: 'name' });
  const files = await listOrdered({
    ...query,
    type: 'files',
    start: Math.max(0, start - folders.totalCount),
    limit: limit - folders.entries.length,
  });
  return { entries: [...folders.entries, ...files.entries], totalCount: folders.totalCount + files.totalCount };
}

async function listInOrder(
  parts: ListingParts,
  vfsId: string,
  path: VirtualPath,
  query: EntryQuery,
): Promise<EntryPage> {
  for (;;) {
    const folder = await parts.folderIds.find(parts.db, vfsId, path);
    const page = (await findMarkedPage(parts, folder, query)) ?? (await findPage(parts, folder, query));
    if (page) return page;
    parts.folderIds.forget(folder);
  }
}

/**
 * Far inside, the ids of a page come from an index-only scan from the nearer end. Undefined if the folder was deleted.
 */
async function findPage(parts: ListingParts, folder: ListedFolder, query: EntryQuery): Promise<EntryPage | undefined> {
  const { start = 0, limit = 500 } = query;
  const { db } = parts;
  const known = findCachedTotals(parts, folder.id, query);
  const total = totalSql(query, known);
  const isNearEnd = await isNearerToEnd(parts, folder.id, query);
  const page = await readPage(db, folder, {
    query,
    condition: folderIsThere,
    total: total.sql,
    rows: pickSql(query, isNearEnd),
    bindings: { start, limit, ...entryFilterSql(query).bindings, ...total.bindings },
  });
  if (page === undefined) return undefined;
  const totalCount = await totalOf(parts, page.total, { folderId: folder.id, filter: query, known });
  return { entries: page.entries, totalCount };
}

/** If all entries are requested, skipping rows costs less than finding them by their ids. */
function pickSql(query: EntryQuery, isNearEnd: boolean): string {
  const { sort = 'name', direction = 'ASC', type = 'all', pattern = '*', start = 0 } = query;
  const rowsSql = (columns: string, order: 'ASC' | 'DESC', part: string): string =>
    `SELECT ${columns} FROM filebox.entries WHERE parent_id = :folderId ${entryFilterSql(query).sql}
     ORDER BY ${orderSql(sort, order)} ${part}`;
  if (type === 'all' && pattern === '*' && start < farAway)
    return rowsSql(pageColumns, direction, 'OFFSET :start LIMIT :limit');
  const total = `(${entryCountSql(query).sql})`;
  const ids = isNearEnd
    ? rowsSql(
        'id',
        direction === 'ASC' ? 'DESC' : 'ASC',
        `OFFSET greatest(0, ${total} - :start - :limit) LIMIT greatest(0, least(:limit, ${total} - :start))`,
      )
    : rowsSql('id', direction, 'OFFSET :start LIMIT :limit');
  return `SELECT ${pageColumns} FROM (${ids}) AS picked JOIN filebox.entries USING (id)`;
}

async function isNearerToEnd({ db }: ListingParts, folderId: string, query: EntryQuery): Promise<boolean> {
  const { start = 0, pattern = '*', without = [] } = query;
  if (start < farAway || pattern !== '*' || without.length > 0) return false;
  const { rows } = await db.raw<{ rows: { total: string }[] }>(`SELECT (${entryCountSql(query).sql}) AS total`, {
    folderId,
  });
  return start > Number(rows[0]?.total ?? 0) / 2;
}
