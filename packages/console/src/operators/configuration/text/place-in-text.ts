import { LineCounter, parseDocument } from 'yaml';

/** A place in a text; line and column count from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** Characters before it. */
  readonly offset: number;
}

/** What is wrong with a setting. The server knows the place in documents. */
export interface Fault {
  readonly field: string;
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** The lines of a text with faults. */
export function placesIn(text: string, faults: readonly Fault[]): readonly number[] {
  return faults.flatMap((fault) => placeOf(text, fault)?.line ?? []);
}

/** The faults of a text that are still in it: those whose lines have not changed, or that have no place while nothing has. */
export function faultsStillIn(text: string, refused: string, faults: readonly Fault[]): readonly Fault[] {
  if (text === refused) return faults;
  return faults.filter((fault) => {
    const [before, now] = [lineOf(refused, fault), lineOf(text, fault)];
    return before !== undefined && before === now;
  });
}

function lineOf(text: string, fault: Fault): string | undefined {
  const place = placeOf(text, fault);
  return place && text.split('\n')[place.line - 1];
}

/** A fault that names a key which its setting must not have. */
const unknownKey = /unknown key ([^\s;,]+)/u;

/** The place of a fault: that of its setting, such as `acl[0].path`, of the key that is unknown in it, or of the nearest one around it. */
export function placeOf(text: string, { field, message, line, column = 1 }: Fault): Place | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (line !== undefined) {
    const start = lines.lineStarts[line - 1];
    return start === undefined ? undefined : { line, column, offset: start + column - 1 };
  }
  const [, unknown] = unknownKey.exec(message) ?? [];
  const named = field.split(/[.[\]]+/u).filter((part) => part !== '');
  const path = unknown === undefined ? named : [...named, unknown];
  for (let length = path.length; length > 0; length -= 1) {
    const keys = path.slice(0, length).map((part) => (/^\d+$/u.test(part) ? Number(part) : part));
    const offset = offsetOf(document.getIn(keys, true));
    if (offset === undefined) continue;
    const { line: found, col } = lines.linePos(offset);
    return { line: found, column: col, offset };
  }
  return undefined;
}

function offsetOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}
