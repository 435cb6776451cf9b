import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';

/** A place in a text; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** Characters before it. */
  readonly offset: number;
}

/** What is wrong with a setting. `index`: the character of its text that is. The server knows the place in documents. */
export interface Fault {
  readonly field: string;
  readonly message: string;
  readonly index?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A text that was read once, for all its faults. */
export interface ReadText {
  /** Undefined if the text does not have the setting of the fault, nor one around it. */
  placeOf(fault: Fault): Place | undefined;
  /** The value of a setting, as it is written; undefined if there is none. */
  writtenAt(path: readonly string[]): string | undefined;
  /** How many items a list has; 0 for anything else. */
  lengthOf(path: readonly string[]): number;
}

/** The lines of a text with faults. */
export function placesIn(text: string, faults: readonly Fault[]): readonly number[] {
  if (faults.length === 0) return [];
  const { placeOf } = readText(text);
  return faults.flatMap((fault) => placeOf(fault)?.line ?? []);
}

/**
 * Finds the places of settings: where the name of a setting is, or an item of a list, as the server and the command line count them.
 * A setting that is missing has the place of the nearest one around it.
 */
export function readText(text: string): ReadText {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const placeAt = (offset: number): Place => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column, offset };
  };
  const find = (path: readonly string[]) => findIn(document, path);
  return {
    placeOf: (fault) => {
      const path = pathOf(fault);
      const { found, isWhole } = find(path);
      const inside = isWhole && fault.index !== undefined ? offsetInside(found.node, fault.index) : undefined;
      const offset = inside ?? found.offset;
      if (offset !== undefined) return placeAt(offset);
      const start = fault.line === undefined ? undefined : lines.lineStarts[fault.line - 1];
      return start === undefined ? undefined : placeAt(start + (fault.column ?? 1) - 1);
    },
    writtenAt: (path) => {
      const { found, isWhole } = find(path);
      if (!isWhole) return undefined;
      const range = isNode(found.node) ? found.node.range : undefined;
      return range ? text.slice(range[0], range[1]) : '';
    },
    lengthOf: (path) => {
      const { found, isWhole } = find(path);
      return isWhole && isSeq(found.node) ? found.node.items.length : 0;
    },
  };
}

/** A fault that names a key which its setting must not have. */
const unknownKey = /unknown key ([^\s;,]+)/u;

/** The names on the way to the setting of a fault, such as `acl[0].path`, or to the key that is unknown in it. */
export function pathOf({ field, message }: Pick<Fault, 'field' | 'message'>): readonly string[] {
  const [, unknown] = unknownKey.exec(message) ?? [];
  const named = field.split(/[.[\]]+/u).filter((part) => part !== '');
  return unknown === undefined ? named : [...named, unknown];
}

interface Found {
  readonly node: unknown;
  /** Where its name is, or the item of a list. */
  readonly offset: number | undefined;
}

/** What is at a path, or the nearest around it. */
function findIn(document: Document, path: readonly string[]): { found: Found; isWhole: boolean } {
  let found: Found = { node: document.contents, offset: undefined };
  for (const name of path) {
    const { node } = found;
    const next = childOf(isAlias(node) ? node.resolve(document) : node, name);
    if (next === undefined) return { found, isWhole: false };
    found = { node: next.node, offset: next.offset ?? found.offset };
  }
  return { found, isWhole: true };
}

function childOf(node: unknown, name: string): Found | undefined {
  if (isSeq(node)) {
    const item: unknown = node.items[Number(name)];
    return item === undefined ? undefined : { node: item, offset: offsetOf(item) };
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === name);
  return pair && { node: pair.value, offset: offsetOf(pair.key) };
}

/** Where a character of a text is: exact if the text is written as it is, else the beginning of the text. */
function offsetInside(node: unknown, index: number): number | undefined {
  if (!isScalar(node) || !node.range || typeof node.value !== 'string') return undefined;
  const [start] = node.range;
  const isQuoted = node.type === 'QUOTE_SINGLE' || node.type === 'QUOTE_DOUBLE';
  const isLiteral = (isQuoted || node.type === 'PLAIN') && node.source === node.value;
  return isLiteral && !node.value.includes('\n') ? start + (isQuoted ? 1 : 0) + index : start;
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
