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
  commit(): Promise<Pick<FileEntry, 'id'>>;
}
