import type { Readable, Writable } from 'node:stream';
import type { StorageSpace } from '../model/storage.ts';
import type { FollowedFile } from './hashing/file-hasher.ts';

/** An object that a store holds, sealed or not. */
export interface HeldBlob {
  blobId: string;
  modifiedAt: Date;
}

/** A sealed blob, open for reading. */
export interface BlobReader {
  /** At most `length` bytes from an offset; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /** Fills `target` from an offset and returns the number of bytes; fewer than it holds only at the end. */
  readInto(target: Buffer, offset: number): Promise<number>;
  /** The bytes from `start` to `end`, exclusive. */
  stream(start: number, end: number): Readable;
  /**
   * Writes the bytes from `start` to `end`, exclusive, waits until they have been handed over, and leaves the
   * destination open. `note` is called with bytes as they are given to the destination, which may not have sent them
   * yet.
   */
  writeTo(destination: Writable, start: number, end: number, note?: (bytes: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** A blob that is being written. It cannot be opened for reading before it is sealed. One call at a time. */
export interface BlobWriter {
  /** Its size when it was opened. */
  readonly initialSize: number;
  /** Writes adjacent chunks. @throws CodedError `storage_full` */
  write(chunks: readonly Uint8Array[], offset: number): Promise<void>;
  truncate(size: number): Promise<void>;
  /** At most `length` written bytes from an offset; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Hashes on another thread all bytes written before and from now on, until `close`; `seal` does not end it. Absent if
   * the store does not support it. One at a time.
   */
  follow?: () => FollowedFile;
  /** Makes the written bytes survive a crash of the machine. */
  sync(): Promise<void>;
  /** Completes the blob: it survives a crash of the machine, is immutable and can be opened. Closes the writer. */
  seal(): Promise<void>;
  /** Keeps the synced bytes, to be resumed; bytes that were only written may be lost. */
  close(): Promise<void>;
}

/**
 * The storage of bytes, one class of storage. A blob is written once, by one writer at a time, then sealed and never
 * changed. Its name is its id, a UUID that no user can choose; the store knows nothing else about a file.
 */
export interface BlobStore extends AsyncDisposable {
  /** The name of this class of storage in the index. */
  readonly storageClass: string;
  /**
   * Whether an open reader continues to work after `remove`. Otherwise blobs are removed a day after their last use
   * ends.
   */
  readonly readersOutliveRemoval: boolean;
  /** Creates a blob. */
  create(blobId: string): Promise<BlobWriter>;
  /** Resumes a blob that was not sealed. @throws CodedError `content_missing` */
  resume(blobId: string): Promise<BlobWriter>;
  /** Creates a blob with the bytes of a sealed one. @throws CodedError `content_missing`, `storage_full` */
  copy(fromBlobId: string, blobId: string): Promise<BlobWriter>;
  /** Opens a sealed blob that must have this size. @throws CodedError `content_missing` */
  open(blobId: string, size: number): Promise<BlobReader>;
  /** SHA-256 of a sealed blob, computed without blocking the event loop. @throws CodedError `content_missing` */
  digest(blobId: string): Promise<Buffer>;
  /** The size of a sealed blob in bytes; undefined if there is none. */
  sealedSize(blobId: string): Promise<number | undefined>;
  /** The size of an unsealed blob in bytes; undefined if there is none. */
  unsealedSize(blobId: string): Promise<number | undefined>;
  /**
   * The number of bytes of a blob, sealed or not, that survive a crash of the machine from now on; undefined if there
   * is none.
   */
  durableSize(blobId: string): Promise<number | undefined>;
  /** Removes a blob, sealed or not. A missing one is not an error. */
  remove(blobId: string): Promise<void>;
  /** Space on the disk. Absent if the store is unlimited. */
  space?(): Promise<StorageSpace>;
  /** All objects held; objects that are not blobs of this store are left out. */
  list(): AsyncIterable<HeldBlob>;
}

/** The blob stores of a platform, one for each class of storage. */
export interface BlobStores extends AsyncDisposable {
  /** The store of a class. @throws CodedError `service_unavailable` if the class was never configured */
  named(storageClass: string): Promise<BlobStore>;
  /** The store for new files of a VFS. */
  ofVfs(vfsId: string): Promise<BlobStore>;
  /** The names of all classes. */
  names(): Promise<string[]>;
}
