import type { TransferBuffer, TransferBuffers } from './transfer-buffers.ts';

/** Memory with bytes of a file at its start. */
export interface FilledBuffer {
  readonly buffer: TransferBuffer;
  /** Fewer than the buffer holds only at the end of the file. */
  readonly count: number;
}

/** The parts of an open file, some of them read before they are requested. */
export interface ReadAhead {
  /** `length` bytes from an offset, all of which are in the file. Calls may overlap. */
  read(offset: number, length: number): Promise<FilledBuffer>;
  /** Releases parts that were not requested. Call it before the file is closed. */
  forget(): void;
}

/** A file to read. */
export interface FileToRead {
  readonly size: number;
  readInto(target: Buffer, offset: number): Promise<number>;
}

/** Reads ahead in any number of files, within one limit. */
export type OpenReadAhead = (file: FileToRead) => ReadAhead;

interface PartAhead {
  readonly offset: number;
  readonly length: number;
  readonly filled: Promise<FilledBuffer>;
}

/** For one file, including the requested part: the size of one read. */
const bytesAtATime = 1024 * 1024;
/** A client that requests less at a time is slow anyway, and its parts would not fit the reused memory. */
const partBytesAtLeast = 16 * 1024;
/** For all files together. */
const bytesAheadAtMost = 32 * 1024 * 1024;

/**
 * A client that downloads a whole file requests adjacent parts of one length. After two such requests, the parts after
 * them are read together: a trip to Node's thread pool takes longer than copying a part from memory.
 */
export function createReadAhead(
  { take }: TransferBuffers,
  { aheadAtMost = bytesAheadAtMost }: { aheadAtMost?: number } = {},
): OpenReadAhead {
  let bytesAhead = 0;
  return ({ size, readInto }) => {
    let parts: PartAhead[] = [];
    let end = -1;
    const fill = async (offset: number, length: number): Promise<FilledBuffer> => {
      const buffer = take(length);
      return { buffer, count: await readInto(buffer.bytes, offset) };
    };
    const fillAhead = (from: number, length: number, before: number): void => {
      for (let offset = from; offset + length <= before && bytesAhead + length <= aheadAtMost; offset += length) {
        const filled = fill(offset, length);
        // Reported to the request for it.
        filled.catch(() => {});
        parts.push({ offset, length, filled });
        bytesAhead += length;
      }
    };
    const forget = (): void => {
      for (const { length, filled } of parts) {
        bytesAhead -= length;
        filled.then(({ buffer }) => buffer.release?.()).catch(() => {});
      }
      parts = [];
    };
    return {
      read: (offset, length) => {
        const isNext = offset === end && length >= partBytesAtLeast;
        end = offset + length;
        const [first] = parts;
        if (first?.offset === offset && first.length === length) {
          parts.shift();
          bytesAhead -= length;
          return first.filled;
        }
        forget();
        const filled = fill(offset, length);
        if (isNext) fillAhead(end, length, Math.min(size, offset + bytesAtATime));
        return filled;
      },
      forget,
    };
  };
}
