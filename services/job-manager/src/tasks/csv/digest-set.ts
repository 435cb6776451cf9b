import { hash } from 'node:crypto';

/**
 * A set of texts that keeps 16 bytes of the SHA-256 of each, whatever their length: open addressing in typed arrays, which are
 * not on the heap of the thread. Two texts with the same 128 bits cannot be found.
 */
export class DigestSet {
  #slots = new BigUint64Array(2 * 4_096);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Returns false if it has the text already. */
  add(text: string): boolean {
    if (this.#size * 4 > this.#slots.length) this.#grow();
    const digest = hash('sha256', text, 'buffer');
    // Zero marks an empty slot.
    const [high, low] = [digest.readBigUInt64LE(0) | 1n, digest.readBigUInt64LE(8)];
    const isNew = place(this.#slots, high, low);
    if (isNew) this.#size += 1;
    return isNew;
  }

  #grow(): void {
    const slots = new BigUint64Array(this.#slots.length * 2);
    for (let at = 0; at < this.#slots.length; at += 2) {
      const high = this.#slots[at] ?? 0n;
      if (high !== 0n) place(slots, high, this.#slots[at + 1] ?? 0n);
    }
    this.#slots = slots;
  }
}

function place(slots: BigUint64Array, high: bigint, low: bigint): boolean {
  const pairs = slots.length / 2;
  for (let at = Number(low % BigInt(pairs)); ; at = (at + 1) % pairs) {
    const found = slots[2 * at];
    if (found === 0n) {
      slots[2 * at] = high;
      slots[2 * at + 1] = low;
      return true;
    }
    if (found === high && slots[2 * at + 1] === low) return false;
  }
}
