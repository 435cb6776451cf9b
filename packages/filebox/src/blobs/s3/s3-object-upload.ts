import { CodedError } from '@waybill/contracts/errors/coded-error';
import { PartBuffer } from './part-buffer.ts';
import { firstPartBytes, partBytesOf, partsAtMost } from './part-size.ts';
import type { OpenParts, S3Bucket, StoredPart } from './s3-bucket.ts';

/** S3 takes up to 5 GiB; what is copied in one request should be copied within its timeout. */
const copyPartsAtMost = 64;

/** What becomes of an upload when it is complete. */
export interface S3Object {
  key: string;
  metadata?: Readonly<Record<string, string>>;
  /** Of the first parts; those of `part-size` when absent. */
  partBytes?: number | undefined;
}

/**
 * An object that is sent as its bytes arrive, without a local copy: while one part is on its way the next one is
 * gathered, so that two parts are in memory at most. What is no more than one part is sent as a plain object.
 */
export class S3ObjectUpload {
  readonly #bucket: S3Bucket;
  readonly #object: S3Object;
  readonly #cancelling = new AbortController();
  readonly #parts: StoredPart[];
  #open: OpenParts | undefined;
  #storedBytes: number;
  #gathering: PartBuffer;
  #idle: PartBuffer | undefined;
  #sending: Promise<void> = Promise.resolve();
  #failure: { error: unknown } | undefined;

  /** Goes on with parts that S3 has already, when there are any. */
  constructor(bucket: S3Bucket, object: S3Object, begun?: { open: OpenParts; parts: readonly StoredPart[] }) {
    this.#bucket = bucket;
    this.#object = object;
    this.#open = begun?.open;
    this.#parts = [...(begun?.parts ?? [])];
    this.#storedBytes = this.#parts.reduce((sum, { size }) => sum + size, 0);
    this.#gathering = new PartBuffer(this.#nextPartBytes());
  }

  /** Where the next byte goes. */
  get position(): number {
    return this.#storedBytes + this.#gathering.length;
  }

  /** Bytes that S3 has, or is just getting, as parts. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /** What came after those; good until the next call. */
  get tail(): Uint8Array {
    return this.#gathering.content;
  }

  /** Takes bytes over; the chunk is free afterwards. Waits while two parts are full. */
  async append(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength > 0;) {
      if (this.#gathering.isFull) await this.#send();
      rest = this.#gathering.fill(rest);
    }
  }

  /** Begins with the bytes of an object, most of which S3 copies by itself. */
  async copyFrom(source: { key: string; size: number; etag: string }): Promise<void> {
    const { key, size, etag } = source;
    const { partBytes = firstPartBytes } = this.#object;
    const whole = size - (size % partBytes);
    for (let start = 0; start < whole; start = this.#storedBytes) {
      this.#open ??= await this.#bucket.beginParts(this.#object.key, this.#object.metadata);
      const end = Math.min(whole, start + copyPartsAtMost * partBytes);
      const number = this.#parts.length + 1;
      this.#parts.push(await this.#bucket.copyPart(this.#open, number, { key, start, end }));
      this.#storedBytes = end;
    }
    this.#gathering.reset(this.#nextPartBytes());
    if (whole < size) await this.append(await this.#bucket.read(key, { start: whole, end: size, etag }));
  }

  /** Answers when S3 has all parts that were full. */
  async settle(): Promise<void> {
    await this.#sending;
    if (this.#failure) throw this.#failure.error;
  }

  /** Makes the object: it survives everything that can happen on our side. */
  async complete(): Promise<void> {
    if (!this.#open) {
      await this.#bucket.put(this.#object.key, this.tail, this.#object.metadata);
      return;
    }
    if (this.#gathering.length > 0) await this.#send();
    await this.settle();
    await this.#bucket.completeParts(this.#open, this.#parts);
  }

  /** Stops sending. The parts that S3 has stay, to be gone on with. */
  async cancel(): Promise<void> {
    this.#cancelling.abort();
    await this.#sending;
  }

  #nextPartBytes(): number {
    return partBytesOf(this.#parts.length + 1, this.#object.partBytes);
  }

  async #send(): Promise<void> {
    await this.settle();
    const number = this.#parts.length + 1;
    if (number > partsAtMost) {
      throw new CodedError('storage_full', { detail: `S3 takes at most ${partsAtMost} parts of one file` });
    }
    this.#open ??= await this.#bucket.beginParts(this.#object.key, this.#object.metadata);
    const full = this.#gathering;
    this.#gathering = this.#idle ?? new PartBuffer(0);
    this.#gathering.reset(partBytesOf(number + 1, this.#object.partBytes));
    this.#idle = undefined;
    this.#storedBytes += full.length;
    this.#sending = this.#sendPart(this.#open, number, full);
  }

  async #sendPart(open: OpenParts, number: number, full: PartBuffer): Promise<void> {
    try {
      this.#parts.push(await this.#bucket.putPart(open, number, full.content, this.#cancelling.signal));
      this.#idle = full;
    } catch (error) {
      this.#failure = { error };
    }
  }
}
