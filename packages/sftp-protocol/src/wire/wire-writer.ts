const highWord = 0x1_0000_0000;
const initialBytes = 256;

/**
 * Builds one packet. The first four bytes are kept for the length prefix, which `finish` fills in. The buffer grows by
 * doubling, so a long NAME reply costs few copies.
 */
export class WireWriter {
  #bytes = Buffer.allocUnsafe(initialBytes);
  #length = 4;

  constructor(type: number) {
    this.writeByte(type);
  }

  writeByte(value: number): this {
    const at = this.#reserve(1);
    this.#bytes.writeUInt8(value, at);
    return this;
  }

  writeUint32(value: number): this {
    const at = this.#reserve(4);
    this.#bytes.writeUInt32BE(value >>> 0, at);
    return this;
  }

  /** `value` is a whole number from 0 to 2^53 - 1. */
  writeUint64(value: number): this {
    const at = this.#reserve(8);
    this.#bytes.writeUInt32BE(Math.floor(value / highWord), at);
    this.#bytes.writeUInt32BE(value % highWord, at + 4);
    return this;
  }

  /** A length-prefixed byte string; text is written as UTF-8. */
  writeString(value: Uint8Array | string): this {
    const length = typeof value === 'string' ? Buffer.byteLength(value) : value.length;
    this.writeUint32(length);
    const at = this.#reserve(length);
    if (typeof value === 'string') this.#bytes.write(value, at);
    else this.#bytes.set(value, at);
    return this;
  }

  /** Bytes as they are, without a length. */
  writeRaw(value: Uint8Array): this {
    const at = this.#reserve(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  /** The packet with its length prefix. The writer must not be used afterwards. */
  finish(): Buffer {
    this.#bytes.writeUInt32BE(this.#length - 4, 0);
    return this.#bytes.subarray(0, this.#length);
  }

  /** Reserves space and returns its offset; it may replace the buffer, so call it before any use of the buffer. */
  #reserve(count: number): number {
    const start = this.#length;
    const needed = start + count;
    if (needed > this.#bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, start));
      this.#bytes = grown;
    }
    this.#length = needed;
    return start;
  }
}
