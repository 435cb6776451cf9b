import type { Readable } from 'node:stream';
import { callbackify } from 'node:util';
import { RandomAccessReader } from 'yauzl';
import type { OpenedFile } from '../../domain/workflows/task.ts';

/** Bytes that are read at a time for the headers of entries, which are small and stand side by side. */
const blockSize = 65_536;

/** Reads parts of an archive for `yauzl`. */
export class ZipReader extends RandomAccessReader {
  readonly #file: OpenedFile;
  #block: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(file: OpenedFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return this.#file.content({ start, end });
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    callbackify(() => this.#readInto(buffer.subarray(offset, offset + length), position))(callback);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  async #readInto(target: Buffer, position: number): Promise<void> {
    const bytes = await this.#read(position, target.length);
    if (bytes.length < target.length) throw new Error('unexpected end of the archive');
    bytes.copy(target);
  }

  async #read(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#block;
    if (position < start || position + length > start + bytes.length) {
      const end = Math.min(this.#file.size, position + Math.max(length, blockSize));
      const chunks: Buffer[] = [];
      if (end > position) {
        for await (const chunk of this.#file.content({ start: position, end })) {
          if (chunk instanceof Buffer) chunks.push(chunk);
        }
      }
      this.#block = { start: position, bytes: Buffer.concat(chunks) };
    }
    const begin = position - this.#block.start;
    return this.#block.bytes.subarray(begin, begin + length);
  }
}
