/** Bytes, and the same ones in whole words. */
export interface WordedBytes {
  readonly bytes: Uint8Array;
  readonly words: Uint32Array;
}

/** 1, and 128, in each byte of a word. */
const ones = 0x01_01_01_01;
const highest = 0x80_80_80_80;

/**
 * The next occurrence of a byte before `to`; -1 if there is none. Four bytes are compared at once: a word has a zero
 * byte if subtracting 1 from each of its bytes sets a highest bit that was not set.
 */
export function seekByte({ bytes, words }: WordedBytes, byte: number, from: number, to: number): number {
  const wanted = Math.imul(byte, ones);
  let at = from;
  while (at < to && (at & 3) !== 0) {
    if (bytes[at] === byte) return at;
    at += 1;
  }
  if (at >= to) return -1;
  const lastWord = (to - 1) >> 2;
  for (let word = at >> 2; word <= lastWord; word += 1) {
    const zeroWhereMet = (words[word] ?? 0) ^ wanted;
    if (((zeroWhereMet - ones) & ~zeroWhereMet & highest) === 0) continue;
    for (let place = word << 2; place < (word << 2) + 4; place += 1) {
      if (bytes[place] === byte) return place < to ? place : -1;
    }
  }
  return -1;
}

/** The rarest byte in some texts; 0 if they are empty. */
export function rarestByteOf(texts: readonly Uint8Array[], frequencies: Uint32Array): number {
  let rarest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const text of texts) {
    for (const byte of text) {
      const frequency = frequencies[byte] ?? 0;
      if (frequency >= least) continue;
      rarest = byte;
      least = frequency;
    }
  }
  return rarest;
}
