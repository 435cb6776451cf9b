import { CodedError } from '@waybill/contracts/coded-error';
import type { Download } from '@waybill/filebox/download';
import type { Upload } from '@waybill/filebox/upload';
import type { EntryDescription, EntryIdentity } from './entry-description.ts';
import type { ReadRecord } from './read-record.ts';

/** How a file was opened. */
export interface WritableFileOptions {
  readonly name: string;
  /** Of the file that was there before, when it goes on from that. */
  readonly identity: EntryIdentity;
  /** When that was modified. */
  readonly modifiedAt?: Date;
  /** What it is delivered with if nobody adds to it. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Every write goes to the end, whatever offset it names. */
  readonly append: boolean;
  /** Whether closing it without a write delivers it: a new, empty file; not one that was there before. */
  readonly deliverUntouched: boolean;
  /** Present when it was opened for reading as well. */
  readonly reading?: {
    readonly permitted: boolean;
    /** The version that it began with, where there is one. */
    readonly original: ReadRecord | undefined;
  };
}

/** What a file is written with. */
export interface WrittenUpload extends Pick<
  Upload,
  'size' | 'write' | 'read' | 'copyFrom' | 'truncate' | 'sync' | 'setModifiedAt' | 'setMetadata' | 'abort' | 'suspend'
> {
  commit(): Promise<unknown>;
}

/** A file that a user writes. Only `close` delivers it. */
export class WritableFile {
  readonly #upload: WrittenUpload;
  readonly #options: WritableFileOptions;
  readonly #running = new Set<Promise<void>>();
  #touched: boolean;
  #metadata: Readonly<Record<string, string>>;
  #changedAt = new Date();
  /** As it was set. */
  #modifiedAt: Date | undefined;
  #firstError: unknown;

  constructor(upload: WrittenUpload, options: WritableFileOptions) {
    this.#upload = upload;
    this.#options = options;
    this.#metadata = options.metadata;
    this.#touched = options.deliverUntouched;
  }

  /** Which file it began with. */
  get identity(): EntryIdentity {
    return this.#options.identity;
  }

  /** As it would be once it is closed now. */
  describe(): EntryDescription {
    const { name, modifiedAt: before } = this.#options;
    const modifiedAt = this.#modifiedAt ?? (this.isUntouched ? before : undefined) ?? this.#changedAt;
    return { kind: 'file', name, size: this.#upload.size(), modifiedAt, accessedAt: modifiedAt };
  }

  /** Answers when the bytes are written. Calls may overlap; their order is kept. */
  write(offset: number, data: Buffer): Promise<void> {
    return this.#track(this.#upload.write(data, this.#options.append ? this.#upload.size() : offset));
  }

  /** Becomes a copy of a whole file, which takes no room of its own where both are in one class of storage. */
  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void> {
    return this.#track(this.#upload.copyFrom(source));
  }

  /**
   * What the file is so far, every write called before included. None at the end.
   * @throws CodedError `validation_failed` (not opened for reading), `no_read_permission`
   */
  async read(offset: number, length: number): Promise<Buffer> {
    const { reading } = this.#options;
    if (!reading) throw new CodedError('validation_failed', { detail: 'The handle is not open for reading' });
    if (!reading.permitted) throw new CodedError('no_read_permission');
    const bytes = await this.#upload.read(offset, length);
    reading.original?.note(offset, bytes.length);
    return bytes;
  }

  /** Cuts or fills up. Some clients announce the size it already has: that is no change worth a new version. */
  async truncate(size: number): Promise<void> {
    if (size !== this.#upload.size()) await this.#track(this.#upload.truncate(size));
  }

  /** True while closing it would change nothing: a file that was there before, and was not written to yet. */
  get isUntouched(): boolean {
    return !this.#touched;
  }

  /** What the file is delivered with; by itself no reason to deliver a file that was there before. */
  setModifiedAt(at: Date): void {
    this.#modifiedAt = at;
    this.#upload.setModifiedAt(at);
  }

  /** As `setModifiedAt`. */
  addMetadata(values: Readonly<Record<string, string>>): void {
    this.#metadata = { ...this.#metadata, ...values };
    this.#upload.setMetadata(this.#metadata);
  }

  /** What is written so far survives a crash of the machine. */
  sync(): Promise<void> {
    return this.#upload.sync();
  }

  /** Waits for the writes under way, then delivers. @throws the first error of any write, and delivers nothing then */
  async close(): Promise<void> {
    await this.#settle();
    if (this.#firstError !== undefined) {
      await this.#upload.abort();
      throw this.#firstError instanceof Error ? this.#firstError : new CodedError('upload_incomplete');
    }
    if (this.#touched) await this.#upload.commit();
    else await this.#upload.abort();
  }

  /** The client is gone: what landed can be gone on with, an upload without a byte is forgotten. */
  async abandon(): Promise<void> {
    await this.#settle();
    if (this.#firstError === undefined && this.#touched && this.#upload.size() > 0) await this.#upload.suspend();
    else await this.#upload.abort();
  }

  /** Waits for the writes. What was read and cannot be put on the record counts as a failure. */
  async #settle(): Promise<void> {
    await Promise.all(this.#running);
    await this.#options.reading?.original?.close().catch((error: unknown) => {
      this.#firstError ??= error;
    });
  }

  #track(work: Promise<void>): Promise<void> {
    this.#touched = true;
    this.#changedAt = new Date();
    const settled = work
      .catch((error: unknown) => {
        this.#firstError ??= error;
      })
      .finally(() => this.#running.delete(settled));
    this.#running.add(settled);
    return work;
  }
}
