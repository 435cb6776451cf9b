import { createSettingPlaces } from '@waybill/yaml-places/setting-places';
import { isNode, isSeq, LineCounter, parseDocument } from 'yaml';

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

/** Finds the places of settings, which the server and the command line find by the same rule. */
export function readText(text: string): ReadText {
  const lines = new LineCounter();
  const places = createSettingPlaces(parseDocument(text, { lineCounter: lines }));
  const placeAt = (offset: number): Place => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column, offset };
  };
  return {
    placeOf: (fault) => {
      const offset = places.offsetOf(pathOf(fault), fault.index);
      if (offset !== undefined) return placeAt(offset);
      const start = fault.line === undefined ? undefined : lines.lineStarts[fault.line - 1];
      return start === undefined ? undefined : placeAt(start + (fault.column ?? 1) - 1);
    },
    writtenAt: (path) => {
      const value = places.valueAt(path);
      if (value === undefined) return undefined;
      const range = isNode(value) ? value.range : undefined;
      return range ? text.slice(range[0], range[1]) : '';
    },
    lengthOf: (path) => {
      const value = places.valueAt(path);
      return isSeq(value) ? value.items.length : 0;
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
