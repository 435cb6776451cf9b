import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SpoolFile } from '../blobs/local/spool-file.ts';
import type { Upload, UploadOptions } from '../model/upload.ts';

/** Where a staged upload will be delivered, and how long it is kept from now on. */
interface StagedPlace {
  vfsId: string;
  path: VirtualPath;
  /** It goes with its bytes when nobody holds it at this time. */
  keptUntil: Date;
}

/** How a staged upload is gone on with. */
export type StagedUploadOptions = StagedPlace &
  Omit<UploadOptions, 'keepPartial' | 'resume' | 'followsFile' | 'isTemporaryName'>;

/**
 * Uploads that are kept between requests until they are whole, for protocols that name an upload (tus) instead of a
 * path (SFTP): nobody sees them, and a path may have any number of them. They survive the death of every process. Who
 * may go on with one is for the caller to know.
 */
export interface StagedUploads {
  /**
   * Begins one, and answers the id of its blob, which names it. Nobody holds it yet. The metadata is only looked at.
   * @throws CodedError as `Filebox.beginUpload` does
   */
  begin(
    place: StagedPlace & { userName: string; overwrite: boolean } & Pick<
        UploadOptions,
        'metadata' | 'expectedBytes' | 'countsAsNew'
      >,
  ): Promise<string>;
  /**
   * Goes on where it ended. `suspend` keeps all that was written; so does a failure that another try may not meet. Until
   * then, or for a few seconds after a crash, nobody else can go on with it.
   * @throws CodedError `upload_in_progress` (somebody holds it), `upload_unknown`, `metadata_key_refused`
   */
  open(blobId: string, options: StagedUploadOptions): Promise<Upload>;
  /** Bytes that no crash can take away any more, those of a running write among them; undefined when there is no such upload. */
  size(blobId: string): Promise<number | undefined>;
  /** Room for bytes that shall not be part of an upload before they are known to be good. */
  openSpool(): Promise<SpoolFile>;
  /** Gives one up with its bytes, even when somebody holds it. False when it was delivered or given up already. */
  discard(blobId: string): Promise<boolean>;
}
