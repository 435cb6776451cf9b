import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';

/** What is known for good of a file that was received, whatever becomes of the file. */
export interface Receipt {
  readonly fileset: FilesetId;
  readonly userName: UserName;
  /** Where it was put, in the tree that the user saw. */
  readonly path: VirtualPath;
  /** Bytes. */
  readonly size: number;
  /** 64 lower-case hexadecimal digits. */
  readonly sha256: string;
  readonly storedAt: Date;
  readonly dfiid: string;
}
