import type { Readable, Writable } from 'node:stream';
import type { StorageSpace } from '../model/storage-space.ts';
import type { FollowedFile } from './hashing/file-hasher.ts';

/** An object that a store holds, finished or not. */
export interface HeldBlob {
  blobId: string;
  modifiedAt: Date;
}

/** A finished blob, open for reading. */
export interface BlobReader {
  /** At most `length` bytes from an offset; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /** Fills `target` from an offset and answers with how many bytes; fewer than it holds only at the end. */
  readInto(target: Buffer, offset: number): Promise<number>;
  /** The bytes from `start` to the one before `end`. */
  stream(start: number, end: number): Readable;
  /**
   * Writes the same bytes, waits until they have been handed over, and leaves the destination open. `note` is told of bytes as
   * they are given to the destination, which need not have sent them.
   */
  writeTo(destination: Writable, start: number, end: number, note?: (bytes: number) => void): Promise<void>;
  close(): Promise<void>;
}

/** A blob that is being written. Nobody can open it before it is sealed. One call at a time. */
export interface BlobWriter {
  /** Bytes that it had when it was opened. */
  readonly initialSize: number;
  /** Writes chunks that follow each other. @throws CodedError `storage_full` */
  write(chunks: readonly Uint8Array[], offset: number): Promise<void>;
  truncate(size: number): Promise<void>;
  /** At most `length` bytes of what was written, from an offset; fewer only at the end. */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Hashes on another thread what is written from now on and was before, until `close`; `seal` leaves it be. Absent where
   * that cannot be. One at a time.
   */
  follow?: () => FollowedFile;
  /** Makes what was written survive a crash of the machine. */
  sync(): Promise<void>;
  /** Finishes the blob: it survives a crash of the machine, is immutable and can be opened. Closes the writer. */
  seal(): Promise<void>;
  /** Keeps what was synced, to be resumed; what was only written may be gone. */
  close(): Promise<void>;
}

/**
 * Where bytes are kept, one class of storage. A blob is written once, by one writer at a time, then sealed and never
 * changed. Its name is its id, a UUID that no user can choose; nothing else about a file is known here.
 */
export interface BlobStore extends AsyncDisposable {
  /** The name of this class of storage in the index. */
  readonly storageClass: string;
  /** True when an open reader can read on after `remove`. Otherwise blobs are removed a day after their last use ends. */
  readonly readersOutliveRemoval: boolean;
  /** Begins a blob. */
  create(blobId: string): Promise<BlobWriter>;
  /** Resumes a blob that was not sealed. @throws CodedError `content_missing` */
  resume(blobId: string): Promise<BlobWriter>;
  /** Begins a blob with the bytes of a sealed one. @throws CodedError `content_missing`, `storage_full` */
  copy(fromBlobId: string, blobId: string): Promise<BlobWriter>;
  /** Opens a sealed blob that must have this size. @throws CodedError `content_missing` */
  open(blobId: string, size: number): Promise<BlobReader>;
  /** SHA-256 of a sealed blob, computed without holding up the event loop. @throws CodedError `content_missing` */
  digest(blobId: string): Promise<Buffer>;
  /** Bytes of a sealed blob; undefined when there is none. */
  sealedSize(blobId: string): Promise<number | undefined>;
  /** Bytes of a blob that is not sealed yet; undefined when there is none. */
  unsealedSize(blobId: string): Promise<number | undefined>;
  /** Bytes of a blob, sealed or not, that survive a crash of the machine from now on; undefined when there is none. */
  durableSize(blobId: string): Promise<number | undefined>;
  /** Removes a blob, sealed or not. One that is not there is fine. */
  remove(blobId: string): Promise<void>;
  /** Room of the disk. Absent where there is no end of it. */
  space?(): Promise<StorageSpace>;
  /** Everything that is held; what is not a blob of this store is left out. */
  list(): AsyncIterable<HeldBlob>;
}
