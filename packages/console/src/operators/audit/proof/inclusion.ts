import { type Bytes, fromBase64, sha256 } from './hashes.ts';

/** The proof that a leaf is in the log (C2SP tlog-proof). */
export interface InclusionProof {
  readonly index: number;
  readonly hashes: readonly Bytes[];
  /** The signed note. */
  readonly checkpoint: string;
}

const form = /^c2sp\.org\/tlog-proof@v1\nindex (0|[1-9]\d{0,15})\n((?:[+/\dA-Za-z]{43}=\n)*)\n/u;

/** Reads a proof; undefined if it is none. */
export function parseProof(text: string): InclusionProof | undefined {
  const [head, index, hashes = ''] = form.exec(text) ?? [];
  if (head === undefined || index === undefined) return undefined;
  const lines = hashes.split('\n').filter((line) => line !== '');
  return { index: Number(index), hashes: lines.map(fromBase64), checkpoint: text.slice(head.length) };
}

/** The hash of a leaf in the tree. */
export function leafHash(leaf: Bytes): Promise<Bytes> {
  return sha256(Uint8Array.of(0), leaf);
}

/** The root to which a proof leads from the hash of a leaf (RFC 9162, section 2.1.3.2); undefined if it leads to none. */
export async function rootOf(leaf: Bytes, { index, hashes }: InclusionProof, size: number): Promise<Bytes | undefined> {
  if (index >= size) return undefined;
  let [place, last, root] = [index, size - 1, leaf];
  for (const hash of hashes) {
    if (last === 0) return undefined;
    if (place % 2 === 1 || place === last) {
      root = await sha256(Uint8Array.of(1), hash, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      root = await sha256(Uint8Array.of(1), root, hash);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : undefined;
}

/** The sizes of logs can exceed the 32 bits of shifts. */
function half(number: number): number {
  return Math.floor(number / 2);
}
