import { CodedError } from '@waybill/contracts/errors/coded-error';
import {
  joinVirtualPath,
  nameOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import type { BlobStores } from '../blobs/blob-store.ts';
import { openRoot } from '../entries/find-entry.ts';
import { visibleToUploader } from '../entries/find-visible.ts';
import { uploadEntryOf, type UploadRow } from '../entries/upload-row.ts';
import type { EntryScan, ListedEntry, ScannedEntries } from '../model/entry-query.ts';
import type { UploadEntry } from '../model/entry.ts';

interface ScannedFolder {
  vfsId: string;
  path: VirtualPath;
  scan: EntryScan;
}

interface FolderOfRow {
  folder_id: string;
  folder_kind: 'folder' | 'file';
  has_uploads: boolean;
}

interface ListedRow {
  name: string;
  kind: 'folder' | 'file';
  size: string | null;
  modified_at: Date;
  put_at: Date | null;
  last_read_at: Date | null;
}

type ScannedRow = FolderOfRow & (ListedRow | { name: null });

/** The next entries of a folder in the order of names. @throws CodedError `path_not_found`, `not_a_folder` */
export async function scanEntries(
  { db, stores }: { db: Queryable; stores: BlobStores },
  { vfsId, path, scan }: ScannedFolder,
): Promise<ScannedEntries> {
  const { afterName = '', limit, includeUploadOf } = scan;
  let rows = await readPart(db, { vfsId, path, scan });
  if (rows.length === 0 && path === rootPath) {
    await openRoot(db, vfsId);
    rows = await readPart(db, { vfsId, path, scan });
  }
  const [folder] = rows;
  const names = { path, file: nameOf(path) };
  if (!folder) throw new CodedError('path_not_found', { names });
  if (folder.folder_kind !== 'folder') throw new CodedError('not_a_folder', { names });
  // A folder without entries is one row without a name.
  const entries = rows.flatMap((row) => (row.name === null ? [] : listedOf(row)));
  if (includeUploadOf === undefined || !folder.has_uploads) return entries;
  const { rows: uploadRows } = await db.raw<{ rows: UploadRow[] }>(
    `SELECT DISTINCT ON (name) blob_id, storage_class, name, user_name, started_at FROM filebox.uploads
     WHERE parent_id = :folderId AND user_name = :userName AND resumable AND name > :afterName
     ORDER BY name, started_at DESC LIMIT :limit`,
    { folderId: folder.folder_id, userName: includeUploadOf, afterName, limit },
  );
  const uploads = await Promise.all(
    uploadRows.map((row) => uploadEntryOf(stores, { row, vfsId, path: joinVirtualPath(path, row.name) })),
  );
  return merged(entries, uploads).slice(0, limit);
}

/** One statement for the folder and its content. */
async function readPart(db: Queryable, { vfsId, path, scan }: ScannedFolder): Promise<ScannedRow[]> {
  const { afterName = '', limit, includeUploadOf = null } = scan;
  const { rows } = await db
    .raw<{ rows: ScannedRow[] }>(scanSql, {
      vfsId,
      names: segmentsOf(path),
      userName: includeUploadOf,
      afterName,
      limit,
    })
    .options({ name: 'filebox scan folder' });
  return rows;
}

const scanSql = `
  WITH folder AS (
    SELECT id, kind FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:names AS text[]))
  )
  SELECT f.id AS folder_id, f.kind AS folder_kind, EXISTS (
      SELECT FROM filebox.uploads u
      WHERE u.parent_id = f.id AND u.user_name = CAST(:userName AS text) AND u.resumable AND u.name > :afterName
    ) AS has_uploads, e.*
  FROM folder f LEFT JOIN LATERAL (
    SELECT name, kind, size, modified_at, put_at, last_read_at FROM filebox.entries
    WHERE parent_id = f.id AND name > :afterName ORDER BY name LIMIT :limit
  ) e ON true
  ORDER BY e.name`;

function listedOf(row: ListedRow): ListedEntry {
  const { name, kind, modified_at: modifiedAt } = row;
  if (kind === 'folder') return { kind, name, modifiedAt };
  const putAt = row.put_at ?? modifiedAt;
  return { kind, name, size: Number(row.size), modifiedAt, putAt, lastReadAt: row.last_read_at ?? undefined };
}

/** Both by name in the order of code points, which is that of their bytes in UTF-8. */
function merged(entries: readonly ListedEntry[], uploads: readonly UploadEntry[]): ScannedEntries {
  if (uploads.length === 0) return [...entries];
  const byName = new Map<string, { entry?: ListedEntry; upload?: UploadEntry }>();
  for (const entry of entries) byName.set(entry.name, { entry });
  for (const upload of uploads) byName.set(upload.name, { ...byName.get(upload.name), upload });
  return [...byName.entries()]
    .toSorted(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
    .flatMap(([, { entry, upload }]) => visibleToUploader(entry, upload) ?? []);
}
