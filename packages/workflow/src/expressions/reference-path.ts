/** A path of names to a value. */
export type ReferencePath = readonly [string, ...string[]];

const name = /[A-Za-z_][\w-]*/uy;
const quotedName = /\[\s*'((?:[^'\\]|\\['\\])*)'\s*\]/uy;

/** Names that CEL gives another meaning: they are expressions. */
const literals: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/**
 * Reads an expression that only names a value: names joined by dots, or in brackets and single quotes if they contain other
 * characters: `steps.pack-it.outputs.path`, `variables['two words']`. A hyphen belongs to the name; a minus has a blank before it.
 * `undefined`: the expression computes something.
 */
export function parseReferencePath(source: string): ReferencePath | undefined {
  const first = match(name, source, 0)?.[0];
  if (first === undefined || literals.has(first)) return undefined;
  const names: [string, ...string[]] = [first];
  let position = first.length;
  while (position < source.length) {
    const next = readMember(source, position);
    if (!next) return undefined;
    names.push(next.name);
    position = next.end;
  }
  return names;
}

function readMember(source: string, position: number): { name: string; end: number } | undefined {
  if (source[position] === '.') {
    const found = match(name, source, position + 1)?.[0];
    return found === undefined ? undefined : { name: found, end: position + 1 + found.length };
  }
  const found = match(quotedName, source, position);
  return found ? { name: (found[1] ?? '').replaceAll(/\\(.)/gu, '$1'), end: position + found[0].length } : undefined;
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}
