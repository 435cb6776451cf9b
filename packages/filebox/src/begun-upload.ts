import type { FilesetId } from '@waybill/contracts/fileset-id';
import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { BlobStore, BlobWriter } from './blob-store.ts';
import type { Reserved } from './byte-reservation.ts';
import type { Origin } from './origin.ts';
import type { ParsedMetadata } from './system-metadata.ts';
import type { TransferRight } from './transfer-right.ts';
import type { UploadOptions } from './upload.ts';

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
  keepPartial: boolean;
  /** It is kept whatever happens, but for a full disk or a refused delivery: see `StagedUploads`. */
  staged: boolean;
  /** How long it is held without a sign of life. */
  leaseSeconds: number;
  followsFile: boolean;
  isTemporaryName(path: VirtualPath): boolean;
  /** It goes on with an interrupted upload. */
  takenUp: boolean;
  mediaType: string;
  metadata: ParsedMetadata;
  reserved: Reserved;
  right: TransferRight | undefined;
}
