import type { Protocol } from '@waybill/contracts/values/protocol';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Transaction } from '@waybill/postgres/database';

/** An upload that was not committed yet, over any protocol or by a job. */
export interface UnfinishedUpload {
  /** Identifies it. */
  readonly blobId: string;
  readonly vfsId: string;
  /** Where it would be committed now; undefined if its folder was deleted. */
  readonly path: VirtualPath | undefined;
  readonly userName: string;
  /** Undefined for a job. */
  readonly protocol: Protocol | undefined;
  readonly startedAt: Date;
  /** Whether a process holds it; otherwise it was suspended, or its process has died. */
  readonly isHeld: boolean;
  /** It is discarded if it is not held at this time. */
  readonly keptUntil: Date;
}

/** With the bytes that its store has of it; undefined if the store does not answer. */
export type SizedUpload = UnfinishedUpload & { readonly size: number | undefined };

/** Which uploads somebody may see and discard. */
export interface UploadReach {
  /** Only uploads over a protocol by these users; all if undefined. */
  readonly ofUsers: readonly string[] | undefined;
}

/** Which uploads to list, the newest first. */
export interface UnfinishedUploadQuery extends UploadReach {
  readonly userName?: string | undefined;
  readonly vfsIds?: readonly string[] | undefined;
  /** Only uploads to this file, or into this folder and those below it. */
  readonly path?: VirtualPath | undefined;
  /** Only those that began before this one, which may be gone. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** The uploads of all users to all virtual file systems that are not committed, for operators. */
export interface UnfinishedUploads extends AsyncDisposable {
  /** A page of uploads. */
  list(query: UnfinishedUploadQuery): Promise<readonly SizedUpload[]>;
  /**
   * Discards an upload with its bytes, even while a process writes it, which notices that at its next renewal of the lease, or when
   * it commits: nothing is committed then. `within` is part of the transaction. Undefined if there is no such upload, for example
   * because it was committed.
   */
  discard(
    blobId: string,
    options: UploadReach & { within(trx: Transaction, upload: UnfinishedUpload): Promise<void> },
  ): Promise<UnfinishedUpload | undefined>;
}
