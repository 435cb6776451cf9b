import type { ActorScope } from '@waybill/access/principal';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SizedUpload } from '@waybill/filebox/unfinished/unfinished-uploads';

/** What the platform knows of an upload besides its bytes. */
export interface UploadOwner {
  /** The actor of its user; undefined for a job, and if the user is not configured any more. */
  readonly actor: string | undefined;
  /** Name of the virtual file system, if that is configured. */
  readonly virtualFileSystem: string | undefined;
  /** Bytes of the whole file, if the client has announced them. */
  readonly length: number | undefined;
}

/** An upload that is not a file yet, over any protocol or by a job. */
export type OwnedUpload = SizedUpload & UploadOwner;

/** Which uploads to list, the newest first. */
export interface OwnedUploadQuery {
  readonly userName?: string | undefined;
  readonly virtualFileSystem?: string | undefined;
  /** Only uploads to this file, or into this folder and those below it. */
  readonly path?: VirtualPath | undefined;
  /** Only those that began before the one with this id. */
  readonly before?: string | undefined;
  /** Only those of the users of these actors; all if undefined. */
  readonly actors: ActorScope;
  readonly limit: number;
}

/** The unfinished uploads of the whole platform. */
export interface OwnedUploads {
  list(query: OwnedUploadQuery): Promise<readonly OwnedUpload[]>;
  /**
   * Deletes an upload with its bytes and audits who has done it, once; undefined if there is no such upload that belongs to a user of
   * these actors, for example because it has become a file.
   */
  remove(
    uploadId: string,
    by: { readonly requestedBy: string; readonly actors: ActorScope },
  ): Promise<Omit<OwnedUpload, 'size'> | undefined>;
}

/** What operators are told about unfinished uploads. */
export interface UploadEvents {
  uploadRemoved(upload: Pick<OwnedUpload, 'blobId' | 'userName' | 'path'>, requestedBy: string): void;
}
