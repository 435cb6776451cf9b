import type { UserName } from '@waybill/contracts/values/user-name';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { DeletedFile, DeletionOptions } from './deletion/delete-file.ts';
import type { FolderDeletionOptions } from './deletion/delete-folder.ts';
import type { FolderAdditions } from './entries/create-folder.ts';
import type { Renamed, RenameOptions } from './entries/rename-entry.ts';
import type { MetadataChange } from './entries/set-metadata.ts';
import type { Download } from './model/download.ts';
import type { EntryFilter, EntryPage, EntryQuery, EntryScan, ScannedEntries } from './model/entry-query.ts';
import type { Entry, EntryOrUpload, FileEntry, FolderEntry } from './model/entry.ts';
import type { Origin } from './model/origin.ts';
import type { VfsSpace } from './model/storage.ts';
import type { TransferRight } from './model/transfer-right.ts';
import type { Upload, UploadOptions } from './model/upload.ts';
import type { UploadsById } from './upload/uploads-by-id.ts';

/**
 * The files of all virtual file systems. Paths are inside their VFS. Permissions are not checked here. Every change is
 * one transaction with its audit record and its events.
 */
export interface Filebox {
  /** The entry at a path; with `includeUploadOf` that user's own uncommitted upload, if it is newer than the file. */
  find(vfsId: string, path: VirtualPath): Promise<Entry | undefined>;
  find(vfsId: string, path: VirtualPath, options: { includeUploadOf?: UserName }): Promise<EntryOrUpload | undefined>;
  /** @throws CodedError `path_not_found`, `not_a_folder` */
  list(vfsId: string, path: VirtualPath, query?: EntryQuery): Promise<EntryPage>;
  /** @throws CodedError `path_not_found`, `not_a_folder` */
  count(vfsId: string, path: VirtualPath, filter?: EntryFilter): Promise<number>;
  /** The next entries of a folder in the order of names. @throws CodedError `path_not_found`, `not_a_folder` */
  scan(vfsId: string, path: VirtualPath, scan: EntryScan): Promise<ScannedEntries>;

  /**
   * @throws CodedError `path_not_found` (the folder), `not_a_file` (a folder has the name), `already_exists`,
   * `metadata_key_refused`, `upload_in_progress` (the upload to resume is still held), `byte_limit_reached`,
   * `file_limit_reached`
   */
  beginUpload(vfsId: string, path: VirtualPath, options: UploadOptions): Promise<Upload>;
  /**
   * Where running uploads would be committed now, by blob id: a rename of their file or folder changes it. Uploads that
   * would no longer be committed are left out.
   */
  findUploadPlaces(blobIds: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
  /** Where files are now, by id, after renames by any session. Files that were removed or replaced are left out. */
  findFilePlaces(vfsId: string, ids: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
  /** Uploads that are kept between requests. */
  readonly uploadsById: UploadsById;
  /**
   * Opens the present version. `expected` is an earlier result of a lookup: its content is opened while the index is
   * queried, and closed again if the index has another version. When `right` is withdrawn, reads fail with the reason;
   * it is disposed of with the download, or when the download cannot be opened.
   * @throws CodedError `path_not_found` (the folder), `file_not_found`, `not_a_file`, `content_missing`
   */
  openDownload(
    vfsId: string,
    path: VirtualPath,
    options: { origin: Origin; expected?: FileEntry | undefined; right?: TransferRight | undefined },
  ): Promise<Download>;

  /**
   * Deletes a file; open readers can still read it. Uncommitted uploads of the user at the path are discarded,
   * including those of `open`; uploads that follow the file are never committed. An upload that is running elsewhere is
   * a separate version, and is committed when it is complete.
   * @throws CodedError `path_not_found` (the folder), `file_not_found`, `not_a_file`, `upload_in_progress`
   */
  deleteFile(vfsId: string, path: VirtualPath, options: DeletionOptions): Promise<DeletedFile>;
  /**
   * Creates a folder. `besideUploads`, true by default: also where the user has an uncommitted upload of the name.
   * @throws CodedError `path_not_found` (the parent), `already_exists`, `folder_limit_reached`, `depth_limit_reached`
   */
  createFolder(vfsId: string, path: VirtualPath, options: { origin: Origin } & FolderAdditions): Promise<FolderEntry>;
  /** Creates missing folders with their ancestors, and returns them. For the configuration: not audited. */
  ensureFolders(vfsId: string, paths: readonly VirtualPath[]): Promise<VirtualPath[]>;
  /**
   * Deletes an empty folder; with `recursive` also a folder with its content, completely or not at all. Uncommitted
   * uploads to it are discarded, except if `showsUploads` says that the user sees the own ones: then such an upload
   * makes the folder not empty.
   * @throws CodedError `path_not_found`, `not_a_folder`, `folder_not_empty`, `operation_unsupported` (the root)
   */
  deleteFolder(
    vfsId: string,
    path: VirtualPath,
    options: { origin: Origin; recursive?: boolean } & FolderDeletionOptions,
  ): Promise<void>;
  /**
   * Renames or moves a file, or a folder with its content. `overwrite` replaces a file by a file, never a folder. A
   * file that was stored under a temporary name is announced now, once, unless the new name is temporary again. Uploads
   * that follow the file, and those of `open`, are committed at the new path.
   * @throws CodedError `file_not_found`, `path_not_found` (either folder), `already_exists`, `operation_unsupported`
   * (the root), `path_invalid` (a folder into itself), `depth_limit_reached`, `upload_in_progress` (there is only an
   * upload of the user that is running elsewhere or was suspended)
   */
  rename(vfsId: string, from: VirtualPath, to: VirtualPath, options: RenameOptions): Promise<Renamed>;
  /**
   * Adds metadata to a file, or replaces the values of existing keys. A change is audited; contracts are notified of it
   * unless `announce` is false.
   * @throws CodedError `path_not_found` (the folder), `file_not_found`, `not_a_file`, `metadata_key_refused`
   */
  setMetadata(
    vfsId: string,
    path: VirtualPath,
    values: Readonly<Record<string, string>>,
    options: Omit<MetadataChange, 'vfsId' | 'path' | 'values'>,
  ): Promise<FileEntry>;
  /**
   * Sets the modification time of a file or folder; with `id` only of that entry, not of another one that is at the
   * path now.
   * @throws CodedError `file_not_found`, `path_not_found`
   */
  setTimes(vfsId: string, path: VirtualPath, times: { modifiedAt: Date; id?: string | undefined }): Promise<void>;
  /** The room in a VFS. */
  space(vfsId: string): Promise<VfsSpace>;
}
