import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { EntryFilter } from '../model/entry-query.ts';
import { findCachedTotals } from './caches/cached-totals.ts';
import type { ListingParts } from './caches/listing-parts.ts';
import { folderBindings, folderIsThere } from './sql/listed-folder.ts';
import { totalOf, type TotalRow, totalSql } from './total-sql.ts';

/** The number of entries of a folder that pass a filter. @throws CodedError `path_not_found`, `not_a_folder` */
export async function countEntries(
  parts: ListingParts,
  vfsId: string,
  path: VirtualPath,
  filter: EntryFilter = {},
): Promise<number> {
  const { db, folderIds } = parts;
  for (;;) {
    const folder = await folderIds.find(db, vfsId, path);
    const known = findCachedTotals(parts, folder.id, filter);
    const { sql, bindings } = totalSql(filter, known);
    const { rows } = await db.raw<{ rows: TotalRow[] }>(`SELECT ${sql} WHERE ${folderIsThere}`, {
      ...folderBindings(folder),
      ...bindings,
    });
    if (rows[0]) return totalOf(parts, rows[0], { folderId: folder.id, filter, known });
    folderIds.forget(folder);
  }
}
