import { SftpProtocolError } from './sftp-protocol-error.ts';

const highWord = 0x1_0000_0000;

/**
 * A cursor over the bytes of one packet (data types of RFC 4251, section 5). Every read is checked against the end of
 * the packet first and throws `truncated` instead of reading on. Byte strings are views, not copies.
 */
export class WireReader {
  readonly #bytes: Buffer;
  #position: number;

  constructor(bytes: Buffer, position = 0) {
    this.#bytes = bytes;
    this.#position = position;
  }

  /** Bytes not read yet. */
  get remaining(): number {
    return this.#bytes.length - this.#position;
  }

  readByte(): number {
    return this.#bytes.readUInt8(this.#advance(1));
  }

  readUint32(): number {
    return this.#bytes.readUInt32BE(this.#advance(4));
  }

  /**
   * A uint64 as a number. Above 2^53 - 1, which no file reaches, it counts as that: what is asked of a place so far behind the end is
   * answered as it would be of any other.
   */
  readUint64(): number {
    const at = this.#advance(8);
    const value = this.#bytes.readUInt32BE(at) * highWord + this.#bytes.readUInt32BE(at + 4);
    return Math.min(value, Number.MAX_SAFE_INTEGER);
  }

  /** A length-prefixed byte string, as a view into the packet. */
  readBytes(): Buffer {
    const length = this.readUint32();
    const start = this.#advance(length);
    return this.#bytes.subarray(start, start + length);
  }

  /** A length-prefixed string; bytes that are not UTF-8 become U+FFFD, so never use it for paths. */
  readText(): string {
    return this.readBytes().toString('utf8');
  }

  /** Everything that is left, as a view. */
  readRest(): Buffer {
    return this.#bytes.subarray(this.#advance(this.remaining));
  }

  #advance(count: number): number {
    if (count > this.remaining) {
      throw new SftpProtocolError('truncated', `A field of ${count} bytes reaches past the end of its packet`);
    }
    const start = this.#position;
    this.#position += count;
    return start;
  }
}
