import { hash } from 'node:crypto';

/** A tree: its number of leaves and its root. */
export interface TreeState {
  readonly size: number;
  readonly root: Buffer;
}

/** The root of a tree without leaves (RFC 6962 section 2.1). */
export const emptyTreeRoot = hash('sha256', '', 'buffer');

/** True if the proof shows that `older` is a prefix of `newer` (RFC 9162 section 2.1.4.2). Every tree continues the empty one. */
export function verifyConsistency(older: TreeState, newer: TreeState, proof: readonly Buffer[]): boolean {
  if (older.size > newer.size) return false;
  if (newer.size === 0) return proof.length === 0 && newer.root.equals(emptyTreeRoot);
  if (older.size === 0) return proof.length === 0;
  if (older.size === newer.size) return proof.length === 0 && older.root.equals(newer.root);
  const path = isPowerOfTwo(older.size) ? [older.root, ...proof] : [...proof];
  const [start] = path;
  if (!start) return false;
  let [node, last] = [BigInt(older.size) - 1n, BigInt(newer.size) - 1n];
  while (node % 2n === 1n) [node, last] = [node / 2n, last / 2n];
  let [olderRoot, newerRoot] = [start, start];
  for (const sibling of path.slice(1)) {
    if (last === 0n) return false;
    if (node % 2n === 1n || node === last) {
      olderRoot = innerHash(sibling, olderRoot);
      newerRoot = innerHash(sibling, newerRoot);
      while (node !== 0n && node % 2n === 0n) [node, last] = [node / 2n, last / 2n];
    } else {
      newerRoot = innerHash(newerRoot, sibling);
    }
    [node, last] = [node / 2n, last / 2n];
  }
  return last === 0n && olderRoot.equals(older.root) && newerRoot.equals(newer.root);
}

function isPowerOfTwo(size: number): boolean {
  const number = BigInt(size);
  return (number & (number - 1n)) === 0n;
}

function innerHash(left: Buffer, right: Buffer): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from([1]), left, right]), 'buffer');
}
