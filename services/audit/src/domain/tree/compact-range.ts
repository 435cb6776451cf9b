import { emptyRoot, nodeHash } from './tree-hash.ts';

/**
 * The roots of the perfect subtrees that a tree of `size` leaves consists of, the largest first: all that is needed to
 * append leaves and to compute the root.
 */
export interface CompactRange {
  readonly size: number;
  readonly nodes: readonly Buffer[];
}

/** The root of the perfect subtree over the leaves from `number` × 2^`level` on. */
export interface TreeNode {
  readonly level: number;
  readonly number: number;
  readonly hash: Buffer;
}

/** A range without leaves. */
export const emptyRange: CompactRange = { size: 0, nodes: [] };

/** The height of a tile: stored nodes are at levels that are multiples of it (C2SP tlog-tiles). */
export const tileHeight = 8;

/** Appends leaf hashes. `completed` has the new nodes at the levels 8, 16, ... */
export function extendRange(
  range: CompactRange,
  leafHashes: readonly Buffer[],
): { readonly range: CompactRange; readonly completed: TreeNode[] } {
  const nodes = [...range.nodes];
  const completed: TreeNode[] = [];
  let { size } = range;
  for (const leaf of leafHashes) {
    size += 1;
    let hash = leaf;
    let level = 0;
    for (let count = size; count % 2 === 0; count /= 2) {
      hash = nodeHash(nodes.pop() ?? emptyRoot, hash);
      level += 1;
      if (level % tileHeight === 0) completed.push({ level, number: count / 2 - 1, hash });
    }
    nodes.push(hash);
  }
  return { range: { size, nodes }, completed };
}

/** The root of the tree (RFC 6962 section 2.1). */
export function rootOf({ nodes }: CompactRange): Buffer {
  return nodes.length === 0 ? emptyRoot : nodes.reduceRight((right, left) => nodeHash(left, right));
}

/** The number of nodes of a range: the one bits of its size. */
export function nodeCountOf(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}
