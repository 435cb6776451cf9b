import type { EntryFilter, EntryPage, EntryQuery } from '../model/entry-query.ts';
import type { ListingParts } from './caches/listing-parts.ts';
import { marksAround, type PageMarks } from './caches/page-marks.ts';
import { markedPageSql } from './marked-page-sql.ts';
import { readPage } from './read-page.ts';
import { folderIsThere, type ListedFolder } from './sql/listed-folder.ts';

/** Pages nearer to an end of the folder are found as quickly from there. */
const farAway = 1_000;

/**
 * A page far inside a folder, found from a mark near it. Undefined if there are no marks, or the folder has changed
 * since; the marks are then read again, for later pages.
 */
export async function findMarkedPage(
  { db, pageMarks }: ListingParts,
  folder: ListedFolder,
  query: EntryQuery,
): Promise<EntryPage | undefined> {
  const { sort = 'name', type = 'all', pattern = '*', without = [], start = 0 } = query;
  if (pattern !== '*' || without.length > 0 || start < farAway) return undefined;
  const order = { folderId: folder.id, sort, type };
  const known = pageMarks.find(order);
  if (known) {
    const { sql, bindings } = pageSql({ ...query, sort, type }, known);
    const page = await readPage(db, folder, {
      query,
      condition: `${folderIsThere} AND filebox.folder_state(:folderId) = :state`,
      total: 'CAST(NULL AS text) AS total, CAST(NULL AS text) AS folder_state',
      rows: sql,
      bindings: { ...bindings, state: known.state },
    });
    if (page) return { entries: page.entries, totalCount: known.total };
  }
  pageMarks.refresh(order);
  return undefined;
}

/** A page in descending order is the page at the same distance from the other end, reversed. */
function pageSql(query: EntryQuery & Required<Pick<EntryQuery & EntryFilter, 'sort' | 'type'>>, known: PageMarks) {
  const { sort, type, direction = 'ASC', start = 0, limit = 500 } = query;
  const take = Math.max(0, Math.min(limit, known.total - start));
  const first = direction === 'ASC' ? start : known.total - start - take;
  const { mark, next } = marksAround(known, Math.max(0, first));
  return markedPageSql({
    sort,
    type,
    mark,
    isFirstAlike: next !== undefined && (next.key === null) === (mark.key === null),
    skip: Math.max(0, first - mark.rank),
    take,
  });
}
