import { nodeHash } from './tree-hash.ts';

/** The place of a perfect subtree: the leaves from `number` × 2^`level` on. */
export interface NodePlace {
  readonly level: number;
  readonly number: number;
}

/** Reads the roots of perfect subtrees that are complete. @throws Error if one cannot be computed from what is stored */
export interface HashSource {
  read(places: readonly NodePlace[]): Promise<Buffer[]>;
}

/** Leaves from `start` to before `end`, of which RFC 6962 computes one hash. */
interface LeafRange {
  readonly start: number;
  readonly end: number;
}

/** The proof that leaf `index` is in the tree of `size` leaves (RFC 6962 section 2.1.1), from the leaf to the root. */
export function proveInclusion(hashes: HashSource, index: number, size: number): Promise<Buffer[]> {
  return hashRanges(hashes, inclusionRanges(index, { start: 0, end: size }));
}

/** The proof that the tree of `from` leaves is a prefix of that of `to` leaves (RFC 6962 section 2.1.2). */
export function proveConsistency(hashes: HashSource, from: number, to: number): Promise<Buffer[]> {
  return hashRanges(hashes, from === 0 ? [] : consistencyRanges(from, { start: 0, end: to }, true));
}

function inclusionRanges(index: number, { start, end }: LeafRange): LeafRange[] {
  if (end - start === 1) return [];
  const middle = start + splitOf(end - start);
  return index < middle
    ? [...inclusionRanges(index, { start, end: middle }), { start: middle, end }]
    : [...inclusionRanges(index, { start: middle, end }), { start, end: middle }];
}

function consistencyRanges(from: number, { start, end }: LeafRange, isKnown: boolean): LeafRange[] {
  if (from === end) return isKnown ? [] : [{ start, end }];
  const middle = start + splitOf(end - start);
  return from <= middle
    ? [...consistencyRanges(from, { start, end: middle }, isKnown), { start: middle, end }]
    : [...consistencyRanges(from, { start: middle, end }, false), { start, end: middle }];
}

/** The largest power of two below a count. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

async function hashRanges(hashes: HashSource, ranges: readonly LeafRange[]): Promise<Buffer[]> {
  const places = ranges.map(perfectSubtrees);
  const nodes = await hashes.read(places.flat());
  let next = 0;
  return places.map(({ length }) => {
    const parts = nodes.slice(next, next + length);
    next += length;
    return parts.reduceRight((right, left) => nodeHash(left, right));
  });
}

/** The perfect subtrees of a range, from left to right. The start of a range is a multiple of its largest one. */
function perfectSubtrees({ start, end }: LeafRange): NodePlace[] {
  const places: NodePlace[] = [];
  for (let first = start; first < end;) {
    let [level, width] = [0, 1];
    while (first + width * 2 <= end) [level, width] = [level + 1, width * 2];
    places.push({ level, number: first / width });
    first += width;
  }
  return places;
}
