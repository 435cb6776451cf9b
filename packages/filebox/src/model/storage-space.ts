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
