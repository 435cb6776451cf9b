import type { FileEntry, FolderEntry, UploadEntry } from './entry.ts';
import type { PagedEntry } from './paged-entry.ts';

/** Which entries of a folder are meant. */
export interface EntryFilter {
  /** `*` stands for any characters, everything else for itself; `*` by default. Case counts. */
  pattern?: string;
  /** `all` by default. */
  type?: 'all' | 'files' | 'folders';
  /** Names that are left out, as if they were not there. */
  without?: readonly string[];
}

/** By what a listing is sorted. `read_date` is the first read. */
export type EntrySort = 'name' | 'size' | 'put_date' | 'read_date' | 'expiry_date';

/**
 * Which part of a folder's listing is meant. What sorts equally is sorted by name in the same direction. A file that was
 * never read, and a folder, come before all dates and sizes; one that never expires comes after all dates.
 */
export interface EntryQuery extends EntryFilter {
  /** `name` by default. */
  sort?: EntrySort;
  /** `ASC` by default. */
  direction?: 'ASC' | 'DESC';
  /** Entries to skip; 0 by default. */
  start?: number;
  /** Entries at most; 500 by default. */
  limit?: number;
}

/** A part of a folder's listing. */
export interface EntryPage {
  entries: PagedEntry[];
  /** How many entries the filter lets through, on all pages. */
  totalCount: number;
}

/** Which part of a folder is read next, in the order of names. */
export interface EntryScan {
  /** The last name of the part before. */
  afterName?: string;
  /** Entries at most. */
  limit: number;
  /** Shows this user's own uncommitted uploads too. */
  includeUploadOf?: string;
}

/** What a scan tells of an entry. */
export type ListedEntry =
  | Pick<FolderEntry, 'kind' | 'name' | 'modifiedAt'>
  | Pick<FileEntry, 'kind' | 'name' | 'size' | 'modifiedAt' | 'putAt' | 'lastReadAt'>;

/** A part of a folder, in the order of names. It is the last one when it has fewer entries than were asked for. */
export type ScannedEntries = (ListedEntry | UploadEntry)[];
