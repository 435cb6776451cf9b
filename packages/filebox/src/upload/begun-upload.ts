import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobStore, BlobWriter } from '../blobs/blob-store.ts';
import type { ParsedMetadata } from '../entries/system-metadata.ts';
import type { Reserved } from '../limits/byte-reservation.ts';
import type { Origin } from '../model/origin.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { UploadOptions } from '../model/upload.ts';

/** One upload that was begun. */
export interface BegunUpload {
  vfsId: string;
  path: VirtualPath;
  blobId: string;
  /** Reserved for the file that it becomes. */
  fileset: FilesetId;
  store: BlobStore;
  holder: string;
  writer: BlobWriter;
  origin: Origin;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  /** It can be resumed once it is suspended. */
  resumable: boolean;
  /** It is suspended, not discarded, by every failure but a full disk or a refused commit: see `UploadsById`. */
  keptAfterFailure: boolean;
  /** How long it is held without a sign of life. */
  leaseSeconds: number;
  followsFile: boolean;
  isTemporaryName(path: VirtualPath): boolean;
  /** It was suspended before. */
  resumed: boolean;
  mediaType: string;
  metadata: ParsedMetadata;
  reserved: Reserved;
  right: TransferRight | undefined;
}
