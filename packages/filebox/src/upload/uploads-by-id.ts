import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SpoolFile } from '../blobs/local/spool-file.ts';
import type { Upload, UploadOptions } from '../model/upload.ts';

/** Where an upload will be committed, and how long it is kept from now on. */
interface UploadPlace {
  vfsId: string;
  path: VirtualPath;
  /** It is discarded if it is not held at this time. */
  keptUntil: Date;
}

/** How to resume an upload by its id. */
export type ResumeByIdOptions = UploadPlace & Omit<UploadOptions, 'resumable' | 'resume' | 'followsFile'>;

/**
 * Uploads that are suspended between requests until they are complete, for protocols that identify an upload by an id
 * (tus) instead of a path (SFTP). They are not listed, and a path may have any number of them. They survive the death
 * of every process. The caller decides who may resume one.
 */
export interface UploadsById {
  /**
   * Begins a suspended upload, and returns the id of its blob, which identifies it. The metadata is only validated.
   * @throws CodedError as `Filebox.beginUpload` does
   */
  begin(
    place: UploadPlace & { userName: UserName; protocol?: Protocol | undefined; overwrite: boolean } & Pick<
        UploadOptions,
        'metadata' | 'expectedBytes' | 'countsAsNew'
      >,
  ): Promise<string>;
  /**
   * Resumes an upload. `suspend` keeps all written bytes; so does a failure that another attempt may not meet. Until
   * then, or for a few seconds after a crash, it cannot be resumed elsewhere.
   * @throws CodedError `upload_in_progress` (its lease is held), `upload_unknown`, `metadata_key_refused`
   */
  resume(blobId: string, options: ResumeByIdOptions): Promise<Upload>;
  /**
   * The number of bytes that no crash can lose, including those of a running write; undefined if there is no such
   * upload.
   */
  size(blobId: string): Promise<number | undefined>;
  /** Room for bytes that become part of an upload only after they are verified. */
  openSpool(): Promise<SpoolFile>;
  /** Removes an upload with its bytes, even if its lease is held. False if it was already committed or discarded. */
  discard(blobId: string): Promise<boolean>;
}
