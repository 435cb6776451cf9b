import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { ParsedMetadata } from '../entries/system-metadata.ts';
import type { UploadOptions } from '../model/upload.ts';

/** A sealed blob that is to become a file. */
export interface SealedUpload {
  vfsId: string;
  path: VirtualPath;
  /** Names the upload, and the bytes that were written. */
  blobId: string;
  /** The blob that the file gets: that one, or one which a file has already and which is held. */
  contentBlobId: string;
  /** The id that was reserved for the file. */
  fileset: FilesetId;
  holder: string;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  /** It is a new version of the file at its place, and of no other. */
  followsFile: boolean;
  size: number;
  sha256: Buffer;
  mediaType: string;
  metadata: ParsedMetadata;
  dfic: DataflowContext;
  modifiedAt: Date | undefined;
  /** A file of a temporary name is announced when it is renamed. */
  isTemporaryName(path: VirtualPath): boolean;
}
