import type { StorageClass } from '@waybill/contracts/configuration/storage-class';

/** The configured storage of files. `Directory` implements it. */
export interface StorageClasses {
  /** The name of the class that new files of a VFS go to. */
  storageClassOf(vfsId: string): Promise<string>;
  /** All classes that were ever configured, except `local`. */
  listStorageClasses(): Promise<readonly StorageClass[]>;
}
