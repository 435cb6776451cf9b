import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SpoolFile } from '../blobs/local/spool-file.ts';
import type { Upload, UploadOptions } from '../model/upload.ts';

/** Where an upload will be committed, and how long it is kept from now on. */
interface UploadPlace {
  vfsId: string;
  path: VirtualPath;
  /** It is discarded when nobody holds it at this time. */
  keptUntil: Date;
}

/** How an upload is resumed by its id. */
export type ResumeByIdOptions = UploadPlace &
  Omit<UploadOptions, 'resumable' | 'resume' | 'followsFile' | 'isTemporaryName'>;

/**
 * Uploads that are suspended between requests until they are whole, for protocols that name an upload (tus) instead of
 * a path (SFTP): nobody sees them, and a path may have any number of them. They survive the death of every process. The
 * caller decides who may resume one.
 */
export interface UploadsById {
  /**
   * Begins a suspended upload, and returns the id of its blob, which names it. The metadata is only checked.
   * @throws CodedError as `Filebox.beginUpload` does
   */
  begin(
    place: UploadPlace & { userName: string; overwrite: boolean } & Pick<
        UploadOptions,
        'metadata' | 'expectedBytes' | 'countsAsNew'
      >,
  ): Promise<string>;
  /**
   * Resumes an upload. `suspend` keeps all that was written; so does a failure that another try may not meet. Until
   * then, or for a few seconds after a crash, nobody else can resume it.
   * @throws CodedError `upload_in_progress` (somebody holds it), `upload_unknown`, `metadata_key_refused`
   */
  resume(blobId: string, options: ResumeByIdOptions): Promise<Upload>;
  /** Bytes that no crash can take away any more, those of a running write among them; undefined when there is no such upload. */
  size(blobId: string): Promise<number | undefined>;
  /** Room for bytes that shall not be part of an upload before they are known to be good. */
  openSpool(): Promise<SpoolFile>;
  /** Removes an upload with its bytes, even when somebody holds it. False when it was committed or discarded already. */
  discard(blobId: string): Promise<boolean>;
}
