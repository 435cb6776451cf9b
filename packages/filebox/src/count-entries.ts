import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { EntryFilter } from './entry-query.ts';
import type { ListingParts } from './listing-parts.ts';
import { requireFolder } from './require-folder.ts';
import { totalOf, type TotalRow, totalSql } from './total-sql.ts';

/** How many entries of a folder pass a filter. @throws CodedError `path_not_found`, `not_a_folder` */
export async function countEntries(
  { db, totals }: ListingParts,
  vfsId: string,
  path: VirtualPath,
  filter: EntryFilter = {},
): Promise<number> {
  const { id: folderId } = await requireFolder(db, vfsId, path);
  const known = totals.find(folderId, filter);
  const { sql, bindings } = totalSql(filter, known);
  const { rows } = await db.raw<{ rows: TotalRow[] }>(`SELECT ${sql}`, { folderId, ...bindings });
  return rows[0] ? totalOf(rows[0], { totals, folderId, filter, known }) : 0;
}
