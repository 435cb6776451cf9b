import path from 'node:path';
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type LineCounter } from 'yaml';

/** Adds file and line to a place: `actors[0].name` becomes `platform.yaml:12: actors[0].name`. */
export type Locate = (place: string) => string;

/**
 * Lines of a parsed document. A place that is not in the file, such as a missing setting, has the line of its
 * parent.
 */
export function createLocate(document: Document, lines: LineCounter, file: string): Locate {
  const lineOf = (place: string): number | undefined => {
    let node: unknown = document.contents;
    let offset: number | undefined;
    for (const step of place.match(/[^.[\]]+/gu) ?? []) {
      const found = childOf(isAlias(node) ? node.resolve(document) : node, step);
      if (found === undefined) break;
      ({ node } = found);
      offset = found.offset ?? offset;
    }
    return offset === undefined ? undefined : lines.linePos(offset).line;
  };
  return (place) => {
    const line = place === '' ? undefined : lineOf(place);
    return line === undefined ? place : `${path.basename(file)}:${line}: ${place}`;
  };
}

function childOf(node: unknown, step: string): { node: unknown; offset: number | undefined } | undefined {
  if (isSeq(node)) {
    const item: unknown = node.items[Number(step)];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === step);
  return pair && { node: pair.value, offset: offsetOf(pair.key) };
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
