/** The first rows of a CSV text. */
export interface ParsedTable {
  readonly rows: readonly (readonly string[])[];
  /** Whether the text has more rows or columns than these. */
  readonly isCut: boolean;
}

const mostRows = 500;
const mostColumns = 50;
const mostCharacters = 500;

const separators = [',', ';', '\t', '|'] as const;

/**
 * Reads the first rows of a text of separated values (RFC 4180). The separator is the one of `,`, `;`, tab and `|` that the
 * first line has most of. A text that breaks the rules is read as well as possible.
 */
export function parseTable(text: string): ParsedTable {
  const separator = separatorOf(text);
  const rows: string[][] = [];
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let isCut = false;
  while (at < text.length && rows.length < mostRows) {
    const cells: string[] = [];
    let isRowEnd = false;
    while (!isRowEnd) {
      const cell = readCell(text, at, separator);
      if (cells.length < mostColumns) cells.push(cell.value.slice(0, mostCharacters));
      else isCut = true;
      at = cell.next;
      isRowEnd = cell.endsRow;
    }
    rows.push(cells);
  }
  return { rows, isCut: isCut || at < text.length };
}

function separatorOf(text: string): string {
  const [line = ''] = text.slice(0, 10_000).split(/\r?\n/u, 1);
  const counts = separators.map((separator) => line.split(separator).length);
  return separators[counts.indexOf(Math.max(...counts))] ?? ',';
}

interface Cell {
  readonly value: string;
  /** Where the next cell or row begins. */
  readonly next: number;
  readonly endsRow: boolean;
}

function readCell(text: string, start: number, separator: string): Cell {
  let value = '';
  let at = start;
  if (text[at] === '"') {
    for (at += 1; at < text.length; at += 2) {
      const quote = text.indexOf('"', at);
      const end = quote === -1 ? text.length : quote;
      value += text.slice(at, end);
      at = end;
      // A doubled quote is one in the value, any other ends it.
      if (text[at + 1] !== '"') break;
      value += '"';
    }
    at += 1;
  }
  const from = at;
  while (at < text.length && text[at] !== separator && text[at] !== '\n') at += 1;
  const isSeparated = text[at] === separator;
  const rest = text.slice(from, at);
  return { value: value + (isSeparated ? rest : rest.replace(/\r$/u, '')), next: at + 1, endsRow: !isSeparated };
}
