import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Download } from '@waybill/filebox/model/download';
import type { TransferRight } from '@waybill/filebox/model/transfer-right';
import type { ReadRecord } from '../content/read-record.ts';
import type { EntryDescription } from './entry-description.ts';
import type { WrittenFile } from './written-file.ts';

/** How a handle was opened. */
export interface WritableFileOptions {
  /** Every write goes to the end, whatever offset it names. */
  readonly append: boolean;
  /** Present when it was opened for reading as well. */
  readonly reading?: FileReading;
}

/** How a file that is being written is read. */
export interface FileReading {
  readonly permitted: boolean;
  /** The version that it began with, where there is one: reading the copy is a download of that. */
  readonly original: ReadRecord | undefined;
  /** The right to read it, which can be withdrawn; undefined where it is not permitted. */
  readonly right: TransferRight | undefined;
}

/** A handle of a file that a user writes. `close` commits what was written. */
export class WritableFile {
  readonly #written: WrittenFile;
  readonly #options: WritableFileOptions;

  constructor(written: WrittenFile, options: WritableFileOptions) {
    this.#written = written;
    this.#options = options;
  }

  /** What it has in common with other handles of the version. */
  get written(): WrittenFile {
    return this.#written.current;
  }

  /** The version that it was opened for; the session may have replaced it since. */
  get opened(): WrittenFile {
    return this.#written;
  }

  /** As it would be once it is closed now. */
  describe(): EntryDescription {
    return this.written.describe();
  }

  /** Resolves when the bytes are written. Calls may overlap; their order is kept. */
  write(offset: number, data: Buffer): Promise<void> {
    return this.written.write(data, this.#options.append ? 'end' : offset);
  }

  /** Becomes a copy of a whole file, which takes no room of its own where both are in one class of storage. */
  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    return this.written.copyFrom(source);
  }

  /**
   * What the file is so far, every write called before included. Nothing at the end.
   * @throws CodedError `validation_failed` (not opened for reading), `no_read_permission`
   */
  async read(offset: number, length: number): Promise<Buffer> {
    const { reading } = this.#options;
    if (!reading) throw new CodedError('validation_failed', { detail: 'The handle is not open for reading' });
    return readWritten(this.written, reading, { offset, length });
  }

  truncate(size: number): Promise<void> {
    return this.written.truncate(size);
  }

  /** What is written so far survives a crash of the machine. */
  sync(): Promise<void> {
    return this.written.sync();
  }

  /** Commits what was written. @throws the first error of any write, and commits nothing then */
  async close(): Promise<void> {
    await this.#endReading();
    await this.written.close();
  }

  /** The client is gone: what was written can be resumed. */
  async suspend(): Promise<void> {
    await this.#endReading();
    await this.written.suspend();
  }

  async #endReading(): Promise<void> {
    this.#options.reading?.right?.[Symbol.dispose]();
    await this.#options.reading?.original?.close().catch((error: unknown) => this.written.fail(error));
  }
}

/** Reads what was written, and notes what is read of the version before. @throws CodedError `no_read_permission` */
export async function readWritten(
  written: WrittenFile,
  { permitted, original, right }: FileReading,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  if (!permitted) throw new CodedError('no_read_permission');
  right?.signal.throwIfAborted();
  const bytes = await written.read(offset, length);
  original?.note(offset, bytes.length);
  return bytes;
}
