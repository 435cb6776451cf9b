import { protocolLimits } from './protocol-limits.ts';
import { SftpProtocolError } from './sftp-protocol-error.ts';

const prefixBytes = 4;

/**
 * Cuts a byte stream into packets. Push chunks as they arrive, then call `read` until it returns undefined; a
 * caller that stops reading early (back-pressure) can continue later.
 *
 * A packet within one chunk is a view of it, without a copy. One that spans chunks is copied once into a buffer of
 * its size, so that a client sending single bytes cannot make the server hold a chunk object for each.
 */
export class PacketReader {
  readonly #maxPacketBytes: number;
  readonly #allocate: (length: number) => Buffer;
  readonly #prefix = Buffer.alloc(prefixBytes);
  #chunks: Buffer[] = [];
  #position = 0;
  #prefixFilled = 0;
  #packet: Buffer | undefined;
  #packetFilled = 0;

  /** @param allocate memory of that length for a packet that spans chunks */
  constructor(
    maxPacketBytes: number = protocolLimits.packetBytes,
    allocate: (length: number) => Buffer = (length) => Buffer.allocUnsafe(length),
  ) {
    this.#maxPacketBytes = maxPacketBytes;
    this.#allocate = allocate;
  }

  /** True in the middle of a packet: an end of the stream now would cut it. */
  get midPacket(): boolean {
    return this.#chunks.length > 0 || this.#prefixFilled > 0 || this.#packet !== undefined;
  }

  push(chunk: Buffer): void {
    if (chunk.length > 0) this.#chunks.push(chunk);
  }

  /**
   * The next whole packet (type byte and body, no prefix), or undefined until more bytes are pushed.
   * Throws SftpProtocolError `empty` or `oversized`; the stream is lost then.
   */
  read(): Buffer | undefined {
    for (let chunk = this.#chunks[0]; chunk !== undefined; chunk = this.#chunks[0]) {
      const packet = this.#packet === undefined ? this.#begin(chunk) : this.#fill(this.#packet, chunk);
      if (this.#position === chunk.length) {
        this.#chunks.shift();
        this.#position = 0;
      }
      if (packet !== undefined) return packet;
    }
    return undefined;
  }

  #begin(chunk: Buffer): Buffer | undefined {
    const count = Math.min(prefixBytes - this.#prefixFilled, chunk.length - this.#position);
    chunk.copy(this.#prefix, this.#prefixFilled, this.#position, this.#position + count);
    this.#position += count;
    this.#prefixFilled += count;
    if (this.#prefixFilled < prefixBytes) return undefined;
    this.#prefixFilled = 0;

    const length = this.#prefix.readUInt32BE(0);
    if (length === 0) throw new SftpProtocolError('empty', 'A packet has no type');
    if (length > this.#maxPacketBytes) {
      throw new SftpProtocolError('oversized', `A packet of ${length} bytes is above ${this.#maxPacketBytes}`);
    }
    if (chunk.length - this.#position >= length) {
      const start = this.#position;
      this.#position += length;
      return chunk.subarray(start, this.#position);
    }
    const packet = this.#allocate(length);
    this.#packet = packet;
    this.#packetFilled = 0;
    return this.#fill(packet, chunk);
  }

  #fill(packet: Buffer, chunk: Buffer): Buffer | undefined {
    const count = Math.min(packet.length - this.#packetFilled, chunk.length - this.#position);
    chunk.copy(packet, this.#packetFilled, this.#position, this.#position + count);
    this.#position += count;
    this.#packetFilled += count;
    if (this.#packetFilled < packet.length) return undefined;
    this.#packet = undefined;
    return packet;
  }
}
