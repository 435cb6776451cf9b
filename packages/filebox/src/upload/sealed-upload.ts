import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { ParsedMetadata } from '../entries/system-metadata.ts';
import type { UploadOptions } from '../model/upload.ts';

/** A sealed blob, ready to become a file. */
export interface SealedUpload {
  vfsId: string;
  path: VirtualPath;
  /** Identifies the upload and the written bytes. */
  blobId: string;
  /** The blob that the file gets: `blobId`, or the held blob of an existing file. */
  contentBlobId: string;
  /** The id reserved for the file. */
  fileset: FilesetId;
  holder: string;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  /** It is a new version of the file that is at its place now, and of no other. */
  followsFile: boolean;
  size: number;
  sha256: Buffer;
  mediaType: string;
  metadata: ParsedMetadata;
  dfic: DataflowContext;
  modifiedAt: Date | undefined;
}
