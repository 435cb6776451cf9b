import path from 'node:path';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type LineCounter,
  type Pair,
  type YAMLMap,
} from 'yaml';

/**
 * Adds file, line and column to a place: `actors[0].name` becomes `platform.yaml:12:5: actors[0].name`. `index`: the character of
 * the text at this place that is meant.
 */
export type Locate = (place: string, index?: number) => string;

/** Where a place is in the file, from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** The position of a place; `undefined` if it has none. `index` as for `Locate`. */
export type PositionOf = (place: string, index?: number) => Position | undefined;

interface Found {
  readonly node: unknown;
  /** Where its key is, or the item of a list. */
  readonly offset: number | undefined;
}

/**
 * Lines and columns of a parsed document. A place that is not in the file, such as a missing setting, has those of its
 * parent.
 */
export function createPositions(document: Document, lines: LineCounter): PositionOf {
  const pairsOf = createPairIndex();
  const find = (place: string): { found: Found; isWhole: boolean } => {
    let found: Found = { node: document.contents, offset: undefined };
    for (const step of place.match(/[^.[\]]+/gu) ?? []) {
      const { node } = found;
      const next = childOf(isAlias(node) ? node.resolve(document) : node, step, pairsOf);
      if (next === undefined) return { found, isWhole: false };
      found = { node: next.node, offset: next.offset ?? found.offset };
    }
    return { found, isWhole: true };
  };
  return (place, index) => {
    if (place === '') return undefined;
    const { found, isWhole } = find(place);
    const offset = (isWhole && index !== undefined ? offsetInside(found.node, index) : undefined) ?? found.offset;
    if (offset === undefined) return undefined;
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
}

/** The same as a text with the name of the file. */
export function createLocate(positionOf: PositionOf, file: string): Locate {
  return (place, index) => {
    const position = positionOf(place, index);
    return position ? `${path.basename(file)}:${position.line}:${position.column}: ${place}` : place;
  };
}

/** Where a character of a text is in the file: exact if the text is written as it is, else the beginning of the text. */
function offsetInside(node: unknown, index: number): number | undefined {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return undefined;
  const [start] = node.range;
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  const isLiteral = (isQuoted || node.type === 'PLAIN') && node.source === node.value;
  return isLiteral && !node.value.includes('\n') ? start + (isQuoted ? 1 : 0) + index : start;
}

/** The pairs of a map by their keys. */
type PairsOf = (map: YAMLMap) => ReadonlyMap<string, Pair>;

/** Each map is read once, however many of its places are looked for. */
function createPairIndex(): PairsOf {
  const known = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>();
  return (map) => {
    const pairs = known.get(map) ?? readPairs(map);
    known.set(map, pairs);
    return pairs;
  };
}

function readPairs({ items }: YAMLMap): ReadonlyMap<string, Pair> {
  return new Map(items.flatMap((pair) => (isScalar(pair.key) ? [[String(pair.key.value), pair]] : [])));
}

function childOf(node: unknown, step: string, pairsOf: PairsOf): Found | undefined {
  if (isSeq(node)) {
    const item: unknown = node.items[Number(step)];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = pairsOf(node).get(step);
  return pair && { node: pair.value, offset: offsetOf(pair.key) };
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
