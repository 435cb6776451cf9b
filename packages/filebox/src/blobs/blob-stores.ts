import type { BlobStore } from './blob-store.ts';

/** The blob stores of a platform, one for each class of storage. */
export interface BlobStores extends AsyncDisposable {
  /** The store of a class. @throws CodedError `service_unavailable` if the class was never configured */
  named(storageClass: string): Promise<BlobStore>;
  /** The store for new files of a VFS. */
  ofVfs(vfsId: string): Promise<BlobStore>;
  /** The names of all classes. */
  names(): Promise<string[]>;
}
