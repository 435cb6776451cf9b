import type { UserName } from '@waybill/contracts/values/user-name';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

/**
 * The receipt for the sender of a file. It is stored with the file, by the same statement, in the table that the
 * filebox was created with (`receiptTable`); fileset, size, SHA-256, time and dataflow are those of the file.
 */
export interface StoredReceipt {
  /** The user who sent the file; another user can get the name later. */
  readonly userId: string;
  readonly userName: UserName;
  /** The path of the file, in the tree that the user saw. */
  readonly path: VirtualPath;
}
