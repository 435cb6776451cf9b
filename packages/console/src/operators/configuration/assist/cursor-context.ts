/** Where the cursor is in settings, which are YAML in block style. */
export interface CursorContext {
  /** The settings around it: names, and `[]` for an item of a list. */
  readonly path: readonly string[];
  /** The setting whose value is typed; undefined where a name is. */
  readonly setting: string | undefined;
  /** What is typed of it before the cursor. */
  readonly typed: string;
  /** Names and plain values of the settings beside it. */
  readonly siblings: ReadonlyMap<string, string>;
  /** The same of the setting around it. */
  readonly around: ReadonlyMap<string, string>;
}

interface Line {
  /** Columns before the first dash, or before the name. */
  readonly start: number;
  /** Columns before the name. */
  readonly indent: number;
  readonly name: string;
  readonly value: string;
}

const linePattern = /^(?<spaces> *)(?<dashes>(?:- +)*)(?<name>[\w-]+):(?: +(?<value>.*))?$/u;
const typedName = /^(?<spaces> *)(?<dashes>(?:- +)*)(?<typed>[\w-]*)$/u;
const typedValue = /^(?<spaces> *)(?<dashes>(?:- +)*)(?<name>[\w-]+): +(?<typed>\S*)$/u;

/** The context of a cursor; undefined where nothing can be suggested. */
export function cursorContext(text: string, offset: number): CursorContext | undefined {
  const before = text.slice(0, offset).split('\n');
  const current = before.pop() ?? '';
  const after = text.slice(offset).split('\n').slice(1);
  const { spaces = '', dashes = '', typed = '', name: setting } = groupsOf(current);
  if (typedName.exec(current) === null && typedValue.exec(current) === null) return undefined;
  const place = { start: spaces.length, indent: spaces.length + dashes.length };
  const parent = before.findLastIndex((line) => (read(line)?.indent ?? place.indent) < place.indent);
  const holder = read(before[parent] ?? '');
  return {
    path: pathOf(before, place),
    setting,
    typed,
    siblings: siblingsOf([...before, current], after, place),
    around: holder
      ? siblingsOf(before.slice(0, parent + 1), [...before.slice(parent + 1), ...after], holder)
      : new Map(),
  };
}

function groupsOf(line: string): Partial<Record<string, string>> {
  return (typedValue.exec(line) ?? typedName.exec(line))?.groups ?? {};
}

/** The names around a place, from the lines above it. */
function pathOf(above: readonly string[], { start, indent }: Pick<Line, 'start' | 'indent'>): string[] {
  const path: string[] = [];
  let limit = indent;
  let isItem = start < indent;
  if (isItem) {
    path.unshift('[]');
    limit = start + 1;
  }
  for (const line of above.toReversed().map(read)) {
    if (line === undefined) continue;
    if (!isItem && line.indent === limit && line.start < line.indent) {
      path.unshift('[]');
      limit = line.start + 1;
      isItem = true;
    } else if (line.indent < limit && line.value === '') {
      path.unshift(line.name);
      isItem = line.start < line.indent;
      if (isItem) path.unshift('[]');
      limit = isItem ? line.start + 1 : line.indent;
    }
    if (limit <= 0) break;
  }
  return path;
}

/** The settings with the same indentation around a place. */
function siblingsOf(
  above: readonly string[],
  below: readonly string[],
  { indent }: Pick<Line, 'indent'>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const collect = (lines: readonly string[], isAbove: boolean): void => {
    for (const line of lines.map(read)) {
      if (line === undefined) continue;
      const begins = line.start < line.indent && line.indent === indent;
      if (line.indent < indent || (begins && !isAbove)) return;
      if (line.indent === indent) found.set(line.name, line.value);
      if (begins) return;
    }
  };
  collect(above.toReversed(), true);
  collect(below, false);
  return found;
}

function read(text: string): Line | undefined {
  const { spaces = '', dashes = '', name, value = '' } = linePattern.exec(text)?.groups ?? {};
  if (name === undefined) return undefined;
  return { start: spaces.length, indent: spaces.length + dashes.length, name, value: value.trim() };
}
