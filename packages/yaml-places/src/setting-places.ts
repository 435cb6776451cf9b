import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';

/** Where the settings of a document are. A path has the names of keys, and the indices of items of lists. */
export interface SettingPlaces {
  /**
   * How many characters are before the name of a setting, or before an item of a list; of a setting that is missing, before the
   * nearest one around it. With `index`, before that character of its text: exact if the text is written as it is, else before
   * the text. Undefined if the document has nothing around it.
   */
  offsetOf(path: readonly string[], index?: number): number | undefined;
  /** The value of a setting, a node or null; undefined if it is missing. */
  valueAt(path: readonly string[]): unknown;
}

interface Found {
  readonly value: unknown;
  /** Where its key is, or the item of a list. */
  readonly offset: number | undefined;
}

/** Finds the settings of a parsed document, through aliases too. */
export function createSettingPlaces(document: Document): SettingPlaces {
  const pairsOf = createPairIndex();
  const find = (path: readonly string[]): { found: Found; isWhole: boolean } => {
    let found: Found = { value: document.contents, offset: undefined };
    for (const step of path) {
      const { value } = found;
      const next = childOf(isAlias(value) ? value.resolve(document) : value, step, pairsOf);
      if (next === undefined) return { found, isWhole: false };
      found = { value: next.value, offset: next.offset ?? found.offset };
    }
    return { found, isWhole: true };
  };
  return {
    offsetOf: (path, index) => {
      const { found, isWhole } = find(path);
      const inside = isWhole && index !== undefined ? offsetInside(found.value, index) : undefined;
      return inside ?? found.offset;
    },
    valueAt: (path) => {
      const { found, isWhole } = find(path);
      return isWhole ? found.value : undefined;
    },
  };
}

function offsetInside(value: unknown, index: number): number | undefined {
  if (!isScalar(value) || !value.range || typeof value.value !== 'string') return undefined;
  const [start] = value.range;
  const isQuoted = value.type === 'QUOTE_SINGLE' || value.type === 'QUOTE_DOUBLE';
  const isLiteral = (isQuoted || value.type === 'PLAIN') && value.source === value.value;
  return isLiteral && !value.value.includes('\n') ? start + (isQuoted ? 1 : 0) + index : start;
}

/** The pairs of a map by their keys. */
type PairsOf = (map: YAMLMap) => ReadonlyMap<string, Pair>;

/** Each map is read once, however many of its settings are looked for. */
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

function childOf(value: unknown, step: string, pairsOf: PairsOf): Found | undefined {
  if (isSeq(value)) {
    const item: unknown = value.items[Number(step)];
    return item === undefined ? undefined : { value: item, offset: startOf(item) };
  }
  if (!isMap(value)) return undefined;
  const pair = pairsOf(value).get(step);
  return pair && { value: pair.value, offset: startOf(pair.key) };
}

function startOf(value: unknown): number | undefined {
  return isNode(value) ? value.range?.[0] : undefined;
}
