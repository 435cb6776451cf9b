import type { Readable, Writable } from 'node:stream';
import type { FileEntry } from './entry.ts';

/** A range of bytes: from `start` (0 by default) to the one before `end` (the size by default). */
export interface ByteRange {
  start?: number;
  end?: number;
}

/** A version of a file being read. It stays whole whatever happens to its path, until it is disposed of. */
export interface Download extends AsyncDisposable {
  readonly entry: FileEntry;
  /** The bytes of a range, in big chunks. */
  stream(range?: ByteRange): Readable;
  /**
   * Writes the bytes of a range, the cheapest way to send a file, and leaves the destination open. `note` is told of bytes as
   * they are given to the destination, which need not have sent them.
   */
  writeTo(destination: Writable, range?: ByteRange & { note?: (bytes: number) => void }): Promise<void>;
  /** At most `length` bytes from an offset; fewer only at the end of the file, none behind it. Calls may overlap. */
  read(offset: number, length: number): Promise<Buffer>;
  /** The same into memory of the caller: answers with the number of bytes, fewer than `target` holds only at the end. */
  readInto(target: Buffer, offset: number): Promise<number>;
  /**
   * Says that the reader has what it came for: read dates, audit record and event, in one transaction and once. After a
   * failure it can be tried again, also when the download has been disposed of.
   */
  complete(): Promise<void>;
}
