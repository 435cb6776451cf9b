import type { EntryDescription } from './entry-description.ts';
import type { ReadableFile } from './readable-file.ts';
import { readWritten, type FileReading } from './writable-file.ts';
import type { WrittenFile } from './written-file.ts';

/** What reading a growing file needs of the session. */
export interface GrowingFileOptions {
  readonly written: WrittenFile;
  readonly reading: FileReading;
  /** Opens the committed file, and no other, at its place now. @throws CodedError as `openFileToRead` does */
  openCommitted(): Promise<ReadableFile>;
}

/**
 * A handle that reads a file which the same session is still writing, as `tail` does. Once the file is committed it reads the
 * committed version.
 */
export class GrowingFile {
  readonly #options: GrowingFileOptions;
  #committed: Promise<ReadableFile> | undefined;
  /** The same, once it is open. */
  #read: ReadableFile | undefined;

  constructor(options: GrowingFileOptions) {
    this.#options = options;
  }

  get written(): WrittenFile {
    return this.#options.written.current;
  }

  /** The version that it was opened for; the session may have replaced it since. */
  get opened(): WrittenFile {
    return this.#options.written;
  }

  /** What it reads: what was written so far, or the committed version once it has read that. */
  describe(): EntryDescription {
    return this.#read?.description ?? this.written.describe();
  }

  /** The modification time of the file was set. */
  noteModifiedAt(modifiedAt: Date): void {
    this.#read?.noteModifiedAt(modifiedAt);
  }

  /** At most `length` bytes; none behind the end. */
  async read(offset: number, length: number): Promise<Buffer> {
    const { committing } = this.written;
    if (committing) await committing;
    const { written } = this;
    const { reading } = this.#options;
    // A handle that has read the committed version stays with it, whatever is written to the file afterwards.
    if (this.#committed === undefined && written.blobId !== undefined)
      return readWritten(written, reading, { offset, length });
    // After a failure the next call tries again.
    const file = await (this.#committed ??= this.#openCommitted()).catch((error: unknown) => {
      this.#committed = undefined;
      throw error;
    });
    return file.read(offset, Math.max(0, Math.min(length, file.description.size - offset)));
  }

  async close(): Promise<void> {
    const { original, right } = this.#options.reading;
    right?.[Symbol.dispose]();
    try {
      await original?.close();
    } finally {
      const committed = await this.#committed?.catch(() => {});
      await committed?.close();
    }
  }

  async #openCommitted(): Promise<ReadableFile> {
    this.#read = await this.#options.openCommitted();
    return this.#read;
  }
}
