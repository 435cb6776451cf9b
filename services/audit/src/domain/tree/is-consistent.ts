import { nodeHash } from './tree-hash.ts';

/** A tree: its number of leaves and its root. */
export interface TreeSize {
  readonly size: number;
  readonly root: Buffer;
}

/** True if the proof shows that the older tree is a prefix of the newer one (RFC 9162 section 2.1.4.2). */
export function isConsistent(older: TreeSize, newer: TreeSize, proof: readonly Buffer[]): boolean {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  if (older.size === 0) return proof.length === 0;
  let place: Place = { node: older.size - 1, last: newer.size - 1 };
  while (place.node % 2 === 1) place = above(place);
  // Without a step down, the older tree is a perfect subtree of the newer one, and its root begins the proof.
  const [first, ...rest] = place.node === 0 ? [older.root, ...proof] : proof;
  if (first === undefined) return false;
  let [olderRoot, newerRoot] = [first, first];
  for (const hash of rest) {
    if (place.last === 0) return false;
    if (place.node % 2 === 1 || place.node === place.last) {
      olderRoot = nodeHash(hash, olderRoot);
      newerRoot = nodeHash(hash, newerRoot);
      while (place.node % 2 === 0 && place.node !== 0) place = above(place);
    } else {
      newerRoot = nodeHash(newerRoot, hash);
    }
    place = above(place);
  }
  return place.last === 0 && olderRoot.equals(older.root) && newerRoot.equals(newer.root);
}

/** A node, and the last node of its level. */
interface Place {
  readonly node: number;
  readonly last: number;
}

function above({ node, last }: Place): Place {
  return { node: Math.floor(node / 2), last: Math.floor(last / 2) };
}
