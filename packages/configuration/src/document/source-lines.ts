import path from 'node:path';
import { createSettingPlaces } from '@waybill/yaml-places/setting-places';
import type { Document, LineCounter } from 'yaml';

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

/**
 * Lines and columns of a parsed document. A place that is not in the file, such as a missing setting, has those of its
 * parent.
 */
export function createPositions(document: Document, lines: LineCounter): PositionOf {
  const places = createSettingPlaces(document);
  return (place, index) => {
    const offset = places.offsetOf(place.match(/[^.[\]]+/gu) ?? [], index);
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
