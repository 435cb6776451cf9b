import type { UserName } from '@waybill/contracts/values/user-name';
import type { FileEntry, FolderEntry, UploadEntry } from './entry.ts';
import type { PagedEntry } from './paged-entry.ts';

/** A filter of the entries of a folder. */
export interface EntryFilter {
  /** `*` matches any characters, everything else itself; default: `*`. Case-sensitive. */
  pattern?: string;
  /** Default: `all`. */
  type?: 'all' | 'files' | 'folders';
  /** Names to leave out, as if they did not exist. */
  without?: readonly string[];
}

/** The sort key of a listing. `read_date` is the first read. */
export type EntrySort = 'name' | 'size' | 'put_date' | 'read_date' | 'expiry_date';

/**
 * A part of a folder's listing. Entries with equal keys are sorted by name in the same direction. A file that was never
 * read, and a folder, come before all dates and sizes; one that never expires comes after all dates.
 */
export interface EntryQuery extends EntryFilter {
  /** Default: `name`. */
  sort?: EntrySort;
  /** Default: `ASC`. */
  direction?: 'ASC' | 'DESC';
  /** Whether all folders come before the files, in both directions; default: false. */
  foldersFirst?: boolean;
  /** Entries to skip; default: 0. */
  start?: number;
  /** The maximum number of entries; default: 500. */
  limit?: number;
}

/** A part of a folder's listing. */
export interface EntryPage {
  entries: PagedEntry[];
  /** The number of entries that pass the filter, on all pages. */
  totalCount: number;
}

/** The next part of a folder to read, in the order of names. */
export interface EntryScan {
  /** The last name of the previous part. */
  afterName?: string;
  /** The maximum number of entries. */
  limit: number;
  /** Includes this user's own uncommitted uploads. */
  includeUploadOf?: UserName;
}

/** What a scan returns for an entry. */
export type ListedEntry =
  | Pick<FolderEntry, 'kind' | 'name' | 'modifiedAt'>
  | Pick<FileEntry, 'kind' | 'name' | 'size' | 'modifiedAt' | 'putAt' | 'lastReadAt'>;

/** A part of a folder, in the order of names. It is the last one if it has fewer entries than requested. */
export type ScannedEntries = (ListedEntry | UploadEntry)[];
