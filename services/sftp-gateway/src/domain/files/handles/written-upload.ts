import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { Upload } from '@waybill/filebox/model/upload';

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
  | 'setMetadata'
  | 'moveTo'
  | 'abort'
  | 'suspend'
> {
  commit(): Promise<Pick<FileEntry, 'id' | 'path'>>;
}

/** Where files are by now, and where uploads are to be delivered: other sessions may have renamed or removed them. */
export interface PlacesNow {
  files(ids: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
  uploads(blobIds: readonly string[]): Promise<ReadonlyMap<string, VirtualPath>>;
}

/** Where a session keeps the files that it is writing. */
export interface WrittenFileRegistry<File> {
  /** A version of the file is stored. */
  noteDelivery(file: File, look: PlacesNow): Promise<void>;
  /** The file has no open handle any more. */
  closeWritten(file: File): void;
}
