import type { UserName } from '@waybill/contracts/values/user-name';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { BlobStores } from '../blobs/blob-store.ts';
import type { Entry, UploadEntry, FileEntry, FolderEntry } from '../model/entry.ts';
import { entryColumns, entryOf, type EntryRow } from './entry-row.ts';
import { findEntry } from './find-entry.ts';
import { uploadEntryOf } from './upload-row.ts';

type FoundRow = (EntryRow | { id: null }) & {
  partial_blob_id: string | null;
  partial_storage_class: string;
  partial_name: string;
  partial_user_name: string;
  partial_started_at: Date;
};

/**
 * What a user sees at a path: the entry, or the user's own uncommitted upload (the latest of several) if that is newer.
 */
export async function findVisible(
  { db, stores }: { db: Queryable; stores: BlobStores },
  { vfsId, path, userName }: { vfsId: string; path: VirtualPath; userName: UserName },
): Promise<Entry | UploadEntry | undefined> {
  if (path === rootPath) return findEntry(db, vfsId, path);
  const [row] = await runPrepared<FoundRow>(db, findStatement, {
    vfsId,
    parents: segmentsOf(parentOf(path)),
    name: nameOf(path),
    userName,
  });
  if (!row) return undefined;
  const entry = row.id === null ? undefined : entryOf(row, path);
  if (row.partial_blob_id === null) return entry;
  const upload = {
    blob_id: row.partial_blob_id,
    storage_class: row.partial_storage_class,
    name: row.partial_name,
    user_name: row.partial_user_name,
    started_at: row.partial_started_at,
  };
  return visibleToUploader(entry, await uploadEntryOf(stores, { row: upload, vfsId, path }));
}

/** Resolves the path of the folder once. */
const findStatement = prepareStatement(
  'filebox find visible',
  `SELECT ${entryColumns}, p.*
   FROM (SELECT filebox.entry_at(:vfsId, CAST(:parents AS text[])) AS folder_id OFFSET 0) AS folder
   LEFT JOIN filebox.entries e ON e.parent_id = folder.folder_id AND e.name = :name
   LEFT JOIN LATERAL filebox.latest_upload(folder.folder_id, :name, :userName) AS p ON true`,
);

/** Of a file and the uploader's own uncommitted upload of the same name: the newer one. A folder is never hidden. */
export function visibleToUploader<E extends Pick<FileEntry, 'kind' | 'putAt'> | Pick<FolderEntry, 'kind'>>(
  entry: E | undefined,
  upload: UploadEntry | undefined,
): E | UploadEntry | undefined {
  if (!entry || !upload) return entry ?? upload;
  const hidden = entry.kind === 'file' && entry.putAt < upload.createdAt;
  return hidden ? upload : entry;
}
