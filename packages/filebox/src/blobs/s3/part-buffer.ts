const firstBytes = 64 * 1024;

/** Collects bytes up to a limit. Grows with its content, so that a small file takes little memory; can be reused. */
export class PartBuffer {
  #bytes = Buffer.alloc(0);
  #length = 0;
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Its number of bytes. */
  get length(): number {
    return this.#length;
  }

  get isFull(): boolean {
    return this.#length === this.#limit;
  }

  /** Its content; valid until it changes. */
  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Copies as much of a chunk as fits, and returns the rest. */
  fill(chunk: Uint8Array): Uint8Array {
    const taken = chunk.subarray(0, this.#limit - this.#length);
    this.#reserve(this.#length + taken.byteLength);
    this.#bytes.set(taken, this.#length);
    this.#length += taken.byteLength;
    return chunk.subarray(taken.byteLength);
  }

  /** Empties it, for content of up to this many bytes. */
  reset(limit: number): void {
    this.#length = 0;
    this.#limit = limit;
  }

  #reserve(bytes: number): void {
    if (bytes <= this.#bytes.byteLength) return;
    const grown = Buffer.allocUnsafeSlow(
      Math.min(this.#limit, Math.max(bytes, this.#bytes.byteLength * 2, firstBytes)),
    );
    grown.set(this.content);
    this.#bytes = grown;
  }
}
