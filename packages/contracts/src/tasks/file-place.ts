import { isCodedError } from '../errors/coded-error.ts';
import { joinVirtualPath, nameOf, parseVirtualPath, rootPath, type VirtualPath } from '../values/virtual-path.ts';

declare const foreignPlaceBrand: unique symbol;

/** A path in a named VFS: `globex-files:/inbox/a.csv`. */
export type ForeignPlace = string & { readonly [foreignPlaceBrand]: true };

/**
 * A path as the parameters of a task write it: in the VFS of the job (`/inbox/a.csv`), or in another one
 * (`globex-files:/inbox/a.csv`). Only the functions of this file create the latter.
 */
export type FilePlace = VirtualPath | ForeignPlace;

/** The parts of a place. */
export interface PlacedPath {
  /** Name of the VFS; `undefined` for that of the job. */
  readonly vfs: string | undefined;
  readonly path: VirtualPath;
}

/** The name of a VFS has no slash, colon or blank: a path that begins with a slash never matches. */
const foreign = /^(?<vfs>[^\s/:]+):(?<path>\/.*)$/su;

/** Reads a place as it was written. @throws CodedError `path_invalid` */
export function parseFilePlace(text: string): FilePlace {
  const { vfs, path } = foreign.exec(text)?.groups ?? {};
  if (vfs === undefined || path === undefined) return parseVirtualPath(text);
  return placeIn(vfs.normalize('NFC'), parseVirtualPath(path));
}

/** The VFS and the path of a place. */
export function splitFilePlace(place: FilePlace): PlacedPath {
  const { vfs, path } = foreign.exec(place)?.groups ?? {};
  if (vfs === undefined || path === undefined) return { vfs: undefined, path: parseVirtualPath(place) };
  return { vfs, path: parseVirtualPath(path) };
}

/** The place of a path in a VFS; without a name in that of the job. */
export function placeIn(vfs: string | undefined, path: VirtualPath): FilePlace {
  return vfs === undefined ? path : (`${vfs}:${path}` as ForeignPlace);
}

/** The place with more names below it. @throws CodedError `path_invalid` */
export function joinFilePlace(place: FilePlace, ...names: readonly string[]): FilePlace {
  const { vfs, path } = splitFilePlace(place);
  return placeIn(vfs, joinVirtualPath(path, ...names));
}

/** The last name of the path of a place; empty for a root. */
export function nameOfPlace(place: FilePlace): string {
  return nameOf(splitFilePlace(place).path);
}

/**
 * The place that a text names before its first expression, as far as it is known: `globex-files:/inbox/${{ file.name }}` is in
 * the folder `/inbox` of `globex-files`. `undefined` if nothing is known of the VFS.
 */
export function knownPlaceOf(text: string): (PlacedPath & { readonly isWhole: boolean }) | undefined {
  const end = text.indexOf('${{');
  const known = end === -1 ? text : text.slice(0, text.lastIndexOf('/', end) + 1);
  const { vfs, path } = foreign.exec(known)?.groups ?? {};
  try {
    if (vfs !== undefined && path !== undefined) return { vfs, path: parseVirtualPath(path), isWhole: end === -1 };
    return known.startsWith('/') ? { vfs: undefined, path: rootPath, isWhole: end === -1 } : undefined;
  } catch (error) {
    if (isCodedError(error, 'path_invalid')) return undefined;
    throw error;
  }
}
