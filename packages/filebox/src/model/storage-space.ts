/** Room of the storage that files are kept in, in bytes, whoever else uses it. */
export interface StorageSpace {
  totalBytes: number;
  /** What can still be stored. */
  freeBytes: number;
}

/** Room in a VFS, as its limits and its storage leave it. What is absent has no end. */
export interface VfsSpace {
  bytes?: { total: number; free: number };
  /** Files and folders together, as far as there is a limit of either. */
  entries?: { total: number; free: number };
}
