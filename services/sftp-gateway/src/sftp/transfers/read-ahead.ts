import type { TransferBuffer, TransferBuffers } from './transfer-buffers.ts';

/** Memory with bytes of a file at its beginning. */
export interface FilledBuffer {
  readonly buffer: TransferBuffer;
  /** Fewer than the buffer holds only at the end of the file. */
  readonly count: number;
}

/** The parts of an open file, some of them before they are asked for. */
export interface ReadAhead {
  /** `length` bytes from an offset, all of which are in the file. Calls may overlap. */
  read(offset: number, length: number): Promise<FilledBuffer>;
  /** Gives back what nobody has asked for. Before the file is closed. */
  forget(): void;
}

/** A file that is to be read. */
export interface FileToRead {
  readonly size: number;
  readInto(target: Buffer, offset: number): Promise<number>;
}

/** Reads ahead in any number of files, within one bound. */
export type OpenReadAhead = (file: FileToRead) => ReadAhead;

interface PartAhead {
  readonly offset: number;
  readonly length: number;
  readonly filled: Promise<FilledBuffer>;
}

/** Of one file, with the part that was asked for: what one read of a file takes. */
const bytesAtATime = 1024 * 1024;
/** A client that takes less at a time is not in a hurry, and its parts would not fit the memory that is used again. */
const partBytesAtLeast = 16 * 1024;
/** Of all files together. */
const bytesAheadAtMost = 32 * 1024 * 1024;

/**
 * A client that takes a file from its beginning to its end asks for parts of one length that follow one another. Once two have,
 * the ones after them are read with them: a trip to Node's threads takes longer than to copy a part that is in memory.
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
        // Told to who asks for it.
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
