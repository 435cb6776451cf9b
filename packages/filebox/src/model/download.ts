import type { Readable, Writable } from 'node:stream';
import type { FileEntry } from './entry.ts';

/** A range of bytes: from `start` (default: 0) to `end`, exclusive (default: the size). */
export interface ByteRange {
  start?: number;
  end?: number;
}

/** A version of a file that is being read. It stays complete whatever happens to its path, until it is disposed of. */
export interface Download extends AsyncDisposable {
  readonly entry: FileEntry;
  /** @throws the CodedError of the right if it was withdrawn, as every `read` does */
  assertPermitted(): void;
  /** The bytes of a range, in big chunks. */
  stream(range?: ByteRange): Readable;
  /**
   * Writes the bytes of a range, the cheapest way to send a file, and leaves the destination open. `note` is called
   * with bytes as they are given to the destination, which may not have sent them yet.
   */
  writeTo(destination: Writable, range?: ByteRange & { note?: (bytes: number) => void }): Promise<void>;
  /** At most `length` bytes from an offset; fewer only at the end of the file, none after it. Calls may overlap. */
  read(offset: number, length: number): Promise<Buffer>;
  /** The same into the caller's memory: returns the number of bytes, fewer than `target` holds only at the end. */
  readInto(target: Buffer, offset: number): Promise<number>;
  /**
   * Notes that the reader has received the file: read dates, audit record and event, in one transaction and once. After
   * a failure it can be repeated, even after the download was disposed of.
   */
  complete(): Promise<void>;
}
