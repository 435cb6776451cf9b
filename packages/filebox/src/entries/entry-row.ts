import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { filesetIdSchema } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Entry, FileEntry, FolderEntry } from '../model/entry.ts';

interface EntryCoreRow {
  id: string;
  vfs_id: string;
  /** Null for the root. */
  parent_id: string | null;
  name: string;
  owner: string;
  created_at: Date;
  modified_at: Date;
}

/** A folder, as a row of `filebox.entries`. */
export interface FolderRow extends EntryCoreRow {
  kind: 'folder';
}

/** A file, as a row of `filebox.entries`. */
export interface FileRow extends EntryCoreRow {
  kind: 'file';
  storage_class: string;
  blob_id: string;
  size: string;
  sha256: Buffer;
  media_type: string;
  put_at: Date;
  first_read_at: Date | null;
  last_read_at: Date | null;
  expires_at: Date | null;
  metadata: Record<string, string>;
  system_metadata: Record<string, string>;
  dfic: DataflowContext;
  /** It has a temporary name, and was not announced. */
  unannounced: boolean;
}

/** The columns of a row, by name: a prepared statement with `*` fails when a release adds a column. */
export const entryColumns = `id, vfs_id, parent_id, kind, name, owner, created_at, modified_at, storage_class, blob_id, size,
  sha256, media_type, put_at, first_read_at, last_read_at, expires_at, metadata, system_metadata, dfic, unannounced`;

/** The same columns of a table alias. */
export const entryColumnsOf = (table: string): string => entryColumns.replaceAll(/\w+/gu, `${table}.$&`);

/** A row of the table `filebox.entries`. */
export type EntryRow = FolderRow | FileRow;

/** The entry of a row that was found at a path. */
export function entryOf(row: EntryRow, path: VirtualPath): Entry {
  return row.kind === 'file' ? fileOf(row, path) : folderOf(row, path);
}

/** The folder of a row that was found at a path. */
export function folderOf(row: FolderRow, path: VirtualPath): FolderEntry {
  return { kind: 'folder', id: row.id, ...coreOf(row, path) };
}

/** The file of a row that was found at a path. */
export function fileOf(row: FileRow, path: VirtualPath): FileEntry {
  const fileset = filesetIdSchema.parse(row.id);
  return {
    kind: 'file',
    id: fileset,
    fileset,
    ...coreOf(row, path),
    storageClass: row.storage_class,
    blobId: row.blob_id,
    size: Number(row.size),
    sha256: row.sha256.toString('hex'),
    mediaType: row.media_type,
    putAt: row.put_at,
    firstReadAt: row.first_read_at ?? undefined,
    lastReadAt: row.last_read_at ?? undefined,
    expiresAt: row.expires_at ?? undefined,
    metadata: row.metadata,
    systemMetadata: row.system_metadata,
    dfic: row.dfic,
  };
}

function coreOf(row: EntryCoreRow, path: VirtualPath) {
  return {
    vfsId: row.vfs_id,
    path,
    name: row.name,
    owner: row.owner,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}
