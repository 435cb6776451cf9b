import { sha256 } from '../chain/hash-record.ts';

/**
 * The root of the Merkle tree over these hashes, in order: the tree of RFC 9162 section 2.1.1, whose leaves are the
 * bytes of the hashes. A leaf is SHA-256(0x00 || hash), a node SHA-256(0x01 || left || right); a node without a
 * neighbour moves up unchanged. Hexadecimal in and out.
 */
export function merkleRoot(hashes: readonly string[]): string {
  let level = hashes.map((leaf) => hashOf(leafBytes, leaf));
  while (level.length > 1) level = parentsOf(level);
  return level[0] ?? sha256('');
}

function parentsOf(level: readonly string[]): string[] {
  const parents: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = level[index] ?? '';
    const right = level[index + 1];
    parents.push(right === undefined ? left : hashOf(nodeBytes, left, right));
  }
  return parents;
}

// Reused for every hash, so that a tree of ten thousand leaves creates no garbage.
const leafBytes = Buffer.alloc(33, 0);
const nodeBytes = Buffer.alloc(65, 1);

function hashOf(bytes: Buffer, left: string, right = ''): string {
  bytes.write(left, 1, 'hex');
  bytes.write(right, 33, 'hex');
  return sha256(bytes);
}
