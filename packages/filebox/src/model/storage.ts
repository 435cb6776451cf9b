import type { StorageClass } from '@waybill/contracts/configuration/storage-class';

/** The configured storage of files. `Directory` implements it. */
export interface StorageClasses {
  /** The name of the class that new files of a VFS go to. */
  storageClassOf(vfsId: string): Promise<string>;
  /** All classes that were ever configured, except `local`. */
  listStorageClasses(): Promise<readonly StorageClass[]>;
}

/** Room in the storage of files, in bytes, including other uses of it. */
export interface StorageSpace {
  totalBytes: number;
  /** What can still be stored. */
  freeBytes: number;
}

/** Room in a VFS, by its limits and its storage. What is absent is unlimited. */
export interface VfsSpace {
  bytes?: { total: number; free: number };
  /** Files and folders together, if either is limited. */
  entries?: { total: number; free: number };
}
