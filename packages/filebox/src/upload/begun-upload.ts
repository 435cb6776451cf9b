import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobStore, BlobWriter } from '../blobs/blob-store.ts';
import type { ParsedMetadata } from '../entries/system-metadata.ts';
import type { Reserved } from '../limits/byte-reservation.ts';
import type { Origin } from '../model/origin.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { UploadOptions } from '../model/upload.ts';

/** An upload after its begin. */
export interface BegunUpload {
  vfsId: string;
  path: VirtualPath;
  blobId: string;
  /** Reserved for the committed file. */
  fileset: FilesetId;
  store: BlobStore;
  holder: string;
  writer: BlobWriter;
  origin: Origin;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  /** It can be resumed after a suspension. */
  resumable: boolean;
  /** Every failure except a full disk or a refused commit suspends it, instead of discarding it: see `UploadsById`. */
  keptAfterFailure: boolean;
  /** How long a lease lasts without a renewal. */
  leaseSeconds: number;
  followsFile: boolean;
  /** It was suspended before this begin. */
  resumed: boolean;
  mediaType: string;
  metadata: ParsedMetadata;
  reserved: Reserved;
  right: TransferRight | undefined;
}
