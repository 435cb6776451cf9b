import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Upload } from '@waybill/filebox/model/upload';
import type { EntryIdentity } from './entry-description.ts';
import type { OpenPlace } from './open-place.ts';

/** What a file is written with. */
export interface WrittenUpload extends Pick<
  Upload,
  | 'blobId'
  | 'size'
  | 'write'
  | 'read'
  | 'copyFrom'
  | 'truncate'
  | 'sync'
  | 'setModifiedAt'
  | 'addMetadata'
  | 'moveTo'
  | 'discard'
  | 'suspend'
> {
  commit(): Promise<Pick<FileEntry, 'id' | 'path'>>;
}

/** Where files are by now, and where uploads are to be committed: other sessions may have renamed or removed them. */
export interface PlacesNow {
  files(ids: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
  uploads(blobIds: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
}

/** Where a session keeps the files that it is writing. */
export interface WrittenFileRegistry<File> {
  /** A version of the file is stored. */
  noteCommit(file: File, look: PlacesNow): Promise<void>;
  /** The file has no open handle any more. */
  closeWritten(file: File): void;
}

/** How a file began to be written. */
export interface WrittenFileOptions<File> {
  readonly place: OpenPlace;
  readonly openFiles: WrittenFileRegistry<File>;
  /** The version that was there before, when it goes on from that. */
  readonly identity: EntryIdentity;
  /** When that was modified. */
  readonly modifiedAt?: Date;
  /** Whether closing it without a write commits it: a new, empty file; not one that was there before. */
  readonly commitUntouched: boolean;
  /** Goes on from what was committed, for handles that are still open then. @throws CodedError `file_not_found` (it is gone) */
  reopen(committedId: string | undefined): Promise<WrittenUpload>;
  readonly look: PlacesNow;
}
