import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { BlobStores } from './blob-stores.ts';
import type { PartialFileEntry } from './entry.ts';
import { partialOf, type PartialRow } from './partial-row.ts';

/** A user's own unfinished upload to a path, the latest when there are several. */
export async function findPartial(
  { db, stores }: { db: Queryable; stores: BlobStores },
  { vfsId, path, userName }: { vfsId: string; path: VirtualPath; userName: string },
): Promise<PartialFileEntry | undefined> {
  if (path === rootPath) return undefined;
  const { rows } = await db
    .raw<{ rows: PartialRow[] }>(
      `SELECT blob_id, storage_class, name, user_name, started_at FROM filebox.uploads
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND user_name = :userName AND name = :name
       AND resumable
     ORDER BY started_at DESC LIMIT 1`,
      { vfsId, parents: segmentsOf(parentOf(path)), userName, name: nameOf(path) },
    )
    .options({ name: 'filebox find partial' });
  return rows[0] && partialOf(stores, { row: rows[0], vfsId, path });
}
