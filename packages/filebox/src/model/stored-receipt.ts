import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

/**
 * The receipt that the sender of a file is given. It is stored with the file, by the same statement, in the table that the
 * filebox was created with (`receiptTable`); fileset, size, SHA-256, time and dataflow are those of the file.
 */
export interface StoredReceipt {
  /** The user who sent the file. */
  readonly userName: string;
  /** Where the file was put, in the tree that the user saw. */
  readonly path: VirtualPath;
}
