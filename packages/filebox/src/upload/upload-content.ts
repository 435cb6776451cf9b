import { CodedError } from '@waybill/contracts/errors/coded-error';
import { blobChunks } from '../blobs/blob-chunks.ts';
import type { BlobReader, BlobWriter } from '../blobs/blob-store.ts';
import { createInOrderHash, type InOrderHash } from './in-order-hash.ts';
import { nextBatch, type ContentCall } from './next-batch.ts';
import type { UploadState } from './upload-state.ts';

/** The limit of bytes that were never sent: the gaps that a client leaves while it sends out of order. */
const holeBytesAtMost = 1024 ** 3;

/** The content of an existing file. */
export interface SharedContent {
  blobId: string;
  size: number;
  sha256: Buffer;
  /** Reads the content even after the file is deleted. */
  reader: BlobReader;
}

/** Where the bytes go. */
export interface UploadContentOptions {
  writer: BlobWriter;
  /**
   * Makes sure that the lease is still held and that the blob may have this size; undefined if there is nothing to
   * check.
   */
  assure: (sizeBytes: number) => Promise<void> | undefined;
  /** A failed call fails the upload, and with it the waiting calls. */
  state: UploadState;
}

/**
 * The bytes of an upload. Calls take effect in their order, one at a time. Adjacent chunks that have queued behind a
 * running write are written together, and hashed while the disk works. The content may be shared with an existing file
 * until a call reads or changes the bytes.
 */
export class UploadContent {
  readonly #options: UploadContentOptions;
  readonly #hash: InOrderHash;
  #size: number;
  /** Bytes that existed or were sent; more than the size if some were sent twice. */
  #receivedBytes: number;
  #isTouched = false;
  #shared: SharedContent | undefined;
  #waiting: ContentCall[] = [];
  #running: Promise<void> | undefined;

  constructor(options: UploadContentOptions) {
    const { initialSize, follow } = options.writer;
    this.#options = options;
    this.#hash = createInOrderHash(follow);
    this.#size = initialSize;
    this.#receivedBytes = initialSize;
    // Existing bytes were not hashed here: they are read when the hash is needed.
    if (initialSize > 0) this.#hash.truncate(initialSize);
  }

  /** The size so far, including running writes. */
  get size(): number {
    return this.#shared?.size ?? this.#size;
  }

  /** Whether anything was changed since the upload was opened. */
  get isTouched(): boolean {
    return this.#isTouched || this.#shared !== undefined;
  }

  /** The content shared with a file. */
  get shared(): SharedContent | undefined {
    return this.#shared;
  }

  /** Shares the content of a file. The upload must be empty and unchanged. */
  share(content: SharedContent): void {
    this.#shared = content;
  }

  /** Ends the sharing without a copy. */
  async release(): Promise<void> {
    const { reader } = this.#shared ?? {};
    this.#shared = undefined;
    await reader?.close();
  }

  /** Copies shared content, before any later call. */
  own(): void {
    const shared = this.#shared;
    if (!shared || this.#options.state.hasFailed) return;
    this.#shared = undefined;
    this.#receivedBytes += shared.size;
    this.#grow(shared.size);
    this.#run(() => this.#copy(shared)).catch(() => shared.reader.close().catch(() => {}));
  }

  /** @throws CodedError `storage_full`, `byte_limit_reached`, `operation_unsupported` */
  write(chunk: Uint8Array, offset: number): Promise<void> {
    if (chunk.byteLength === 0) return Promise.resolve();
    this.own();
    this.#receivedBytes += chunk.byteLength;
    this.#grow(Math.max(this.#size, offset + chunk.byteLength));
    return this.#add(chunk, offset, undefined);
  }

  /** @throws as `write` does */
  truncate(size: number): Promise<void> {
    this.own();
    this.#grow(size);
    return this.#run(async () => {
      await this.#options.assure(size);
      this.#hash.truncate(size);
      await this.#options.writer.truncate(size);
    });
  }

  /** The bytes after all earlier calls. */
  async read(offset: number, length: number): Promise<Buffer> {
    this.own();
    const readable = Math.max(0, Math.min(length, this.#size - offset));
    let bytes: Buffer = Buffer.alloc(0);
    await this.#run(async () => {
      if (readable > 0) bytes = await this.#options.writer.read(offset, readable);
    });
    return bytes;
  }

  sync(): Promise<void> {
    this.own();
    return this.#run(() => this.#options.writer.sync());
  }

  /** Resolves when no write is running or waiting. @throws the first error of the upload */
  async idle(): Promise<void> {
    await this.#running;
    this.#options.state.assertIntact();
  }

  /** The SHA-256, if the bytes arrived in order from the first one on. Call it after all of them are written. */
  digest(): Promise<Buffer | undefined> {
    return this.#hash.digest();
  }

  /** A few bytes must not create a file of any size: gaps are hashed and read like the rest. */
  #grow(to: number): void {
    if (!Number.isSafeInteger(to) || to - this.#receivedBytes > holeBytesAtMost) {
      throw new CodedError('operation_unsupported', {
        detail: 'The gaps in a file, which were never sent, can have 1 GiB at most',
      });
    }
    this.#size = to;
    this.#isTouched = true;
  }

  async #copy({ reader, size }: SharedContent): Promise<void> {
    let offset = 0;
    for await (const chunk of blobChunks(reader, size)) {
      await this.#write([chunk], offset);
      offset += chunk.byteLength;
    }
  }

  /** Runs work that must not overlap a write, after all earlier calls and before all later ones. */
  #run(work: () => Promise<void>): Promise<void> {
    return this.#add(undefined, 0, work);
  }

  #add(chunk: Uint8Array | undefined, offset: number, work: (() => Promise<void>) | undefined): Promise<void> {
    this.#options.state.assertIntact();
    return new Promise((resolve, reject) => {
      this.#waiting.push({ chunk, offset, work, resolve, reject });
      this.#running ??= this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = nextBatch(this.#waiting);
      this.#waiting = this.#waiting.slice(batch.length);
      try {
        await this.#perform(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const firstError = this.#options.state.fail(error);
        for (const { reject } of [...batch, ...this.#waiting]) reject(firstError);
        this.#waiting = [];
      }
    }
    this.#running = undefined;
  }

  async #perform(batch: readonly ContentCall[]): Promise<void> {
    this.#options.state.assertIntact();
    const [first] = batch;
    if (!first) return;
    if (first.work) await first.work();
    else
      await this.#write(
        batch.flatMap(({ chunk }) => chunk ?? []),
        first.offset,
      );
  }

  async #write(chunks: readonly Uint8Array[], offset: number): Promise<void> {
    const { writer, assure } = this.#options;
    const end = chunks.reduce((position, { byteLength }) => position + byteLength, offset);
    const assured = assure(Math.max(this.#size, end));
    if (assured) await assured;
    const written = writer.write(chunks, offset);
    let position = offset;
    for (const chunk of chunks) {
      this.#hash.update(chunk, position);
      position += chunk.byteLength;
    }
    await written;
    this.#hash.written();
  }
}
