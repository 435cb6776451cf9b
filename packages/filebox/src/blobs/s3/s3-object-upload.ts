import { CodedError } from '@waybill/contracts/errors/coded-error';
import { PartBuffer } from './part-buffer.ts';
import { firstPartBytes, partBytesOf, partsAtMost } from './part-size.ts';
import type { OpenParts, S3Bucket, StoredPart } from './s3-bucket.ts';

/** S3 allows up to 5 GiB; one request should be able to copy it within its timeout. */
const copyPartsAtMost = 64;

/** The object that an upload becomes. */
export interface S3Object {
  key: string;
  metadata?: Readonly<Record<string, string>>;
  /** Size of the first parts; default: that of `part-size`. */
  partBytes?: number | undefined;
}

/**
 * An object that is sent as its bytes arrive, without a local copy: while one part is being sent the next one is
 * filled, so that at most two parts are in memory. An object of at most one part is sent without a multipart upload.
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

  /** Continues with the parts that S3 already has, if any. */
  constructor(bucket: S3Bucket, object: S3Object, begun?: { open: OpenParts; parts: readonly StoredPart[] }) {
    this.#bucket = bucket;
    this.#object = object;
    this.#open = begun?.open;
    this.#parts = [...(begun?.parts ?? [])];
    this.#storedBytes = this.#parts.reduce((sum, { size }) => sum + size, 0);
    this.#gathering = new PartBuffer(this.#nextPartBytes());
  }

  /** The offset of the next byte. */
  get position(): number {
    return this.#storedBytes + this.#gathering.length;
  }

  /** The number of bytes that S3 has, or is receiving, as parts. */
  get storedBytes(): number {
    return this.#storedBytes;
  }

  /** The bytes after those; valid until the next call. */
  get tail(): Uint8Array {
    return this.#gathering.content;
  }

  /** Accepts bytes; the caller may reuse the chunk afterwards. Waits while two parts are full. */
  async append(chunk: Uint8Array): Promise<void> {
    for (let rest = chunk; rest.byteLength > 0;) {
      if (this.#gathering.isFull) await this.#send();
      rest = this.#gathering.fill(rest);
    }
  }

  /** Starts with the bytes of an object, most of which S3 copies internally. */
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

  /** Resolves when S3 has all full parts. */
  async settle(): Promise<void> {
    await this.#sending;
    if (this.#failure) throw this.#failure.error;
  }

  /** Completes the object: it then survives a crash of any part of the platform. */
  async complete(): Promise<void> {
    if (!this.#open) {
      await this.#bucket.put(this.#object.key, this.tail, this.#object.metadata);
      return;
    }
    if (this.#gathering.length > 0) await this.#send();
    await this.settle();
    await this.#bucket.completeParts(this.#open, this.#parts);
  }

  /** Stops sending. The parts that S3 has stay, to be resumed. */
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
