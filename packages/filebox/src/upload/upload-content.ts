import { CodedError } from '@waybill/contracts/errors/coded-error';
import { blobChunks } from '../blobs/blob-chunks.ts';
import type { BlobReader, BlobWriter } from '../blobs/blob-store.ts';
import { createInOrderHash, type InOrderHash } from './in-order-hash.ts';
import { nextBatch, type ContentCall } from './next-batch.ts';
import type { UploadState } from './upload-state.ts';

/** What a file may have that was not sent: the gaps that a client leaves while it sends out of order. */
const holeBytesAtMost = 1024 ** 3;

/** The content of a file that is there. */
export interface SharedContent {
  blobId: string;
  size: number;
  sha256: Buffer;
  /** Reads it even when the file is gone. */
  reader: BlobReader;
}

/** Where the bytes go. */
export interface UploadContentOptions {
  writer: BlobWriter;
  /** Makes sure that the blob is still ours and may have this size; undefined when there is nothing to ask. */
  assure: (sizeBytes: number) => Promise<void> | undefined;
  /** A call that fails fails the upload, and with it the calls that wait. */
  state: UploadState;
}

/**
 * The bytes of an upload. Calls take effect in their order, one at a time; chunks that have gathered behind a running
 * write and follow each other in the file are written together, and hashed while the disk works. The content may be that
 * of a file, shared with it, until something looks at the bytes or changes them.
 */
export class UploadContent {
  readonly #options: UploadContentOptions;
  readonly #hash: InOrderHash;
  #size: number;
  /** Bytes that were there or were sent; more than the size when some were sent twice. */
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
    // What is there already was not seen here: it is read when the hash is wanted.
    if (initialSize > 0) this.#hash.truncate(initialSize);
  }

  /** Bytes so far, those of running writes included. */
  get size(): number {
    return this.#shared?.size ?? this.#size;
  }

  /** True when anything was changed since it was opened. */
  get isTouched(): boolean {
    return this.#isTouched || this.#shared !== undefined;
  }

  /** What it has in common with a file. */
  get shared(): SharedContent | undefined {
    return this.#shared;
  }

  /** Shares the content of a file. It must be empty and untouched. */
  share(content: SharedContent): void {
    this.#shared = content;
  }

  /** Stops sharing without a copy. */
  async release(): Promise<void> {
    const { reader } = this.#shared ?? {};
    this.#shared = undefined;
    await reader?.close();
  }

  /** Copies what is shared, before all that is called from now on. */
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

  /** What is there when the calls before it are done. */
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

  /** Resolves when nothing is being written any more. @throws the first error of the upload */
  async idle(): Promise<void> {
    await this.#running;
    this.#options.state.assertIntact();
  }

  /** SHA-256, if the bytes came in order from the first one on. Asked when all of them are written. */
  digest(): Promise<Buffer | undefined> {
    return this.#hash.digest();
  }

  /** A few bytes must not make a file of any size: what was never sent is hashed and read like the rest. */
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

  /** Does work that must not meet a write, after the calls before it and before those after it. */
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
