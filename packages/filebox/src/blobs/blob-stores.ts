import type { BlobStore } from './blob-store.ts';

/** The blob stores of a platform, one for each class of storage. */
export interface BlobStores extends AsyncDisposable {
  /** The store of a class. @throws CodedError `service_unavailable` when the configuration never knew it */
  named(storageClass: string): Promise<BlobStore>;
  /** Where new files of a VFS go. */
  ofVfs(vfsId: string): Promise<BlobStore>;
  /** The names of all classes. */
  names(): Promise<string[]>;
}
