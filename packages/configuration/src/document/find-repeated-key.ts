import { type Document, isScalar, visit, type YAMLMap } from 'yaml';

/**
 * Where a key of a map is that the same map has before; `undefined` if there is none. In the time of one pass, however many keys a
 * map has: the parser would compare each key with all before it.
 */
export function findRepeatedKey(document: Document): number | undefined {
  let first: number | undefined;
  visit(document, {
    Map: (_, map) => {
      first = earlier(first, repeatedKeyOf(map));
    },
  });
  return first;
}

function repeatedKeyOf({ items }: YAMLMap): number | undefined {
  const known = new Set<unknown>();
  for (const { key } of items) {
    if (!isScalar(key)) continue;
    if (known.has(key.value)) return key.range?.[0];
    known.add(key.value);
  }
  return undefined;
}

/** The earlier one of two places in a text. */
function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}
