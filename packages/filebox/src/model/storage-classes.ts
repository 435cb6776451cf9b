import type { StorageClass } from '@waybill/contracts/configuration/storage-class';

/** What the configuration says about where files are kept: the `Directory` answers it. */
export interface StorageClasses {
  /** The name of the class that new files of a VFS go to. */
  storageClassOf(vfsId: string): Promise<string>;
  /** All but `local` that there ever were. */
  listStorageClasses(): Promise<readonly StorageClass[]>;
}
