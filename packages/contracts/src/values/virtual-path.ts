import { CodedError } from '../errors/coded-error.ts';

declare const virtualPathBrand: unique symbol;

/**
 * An absolute path inside a virtual tree, in NFC, without `.`, `..`, empty segments or a trailing slash: `/`,
 * `/inbox/a.csv`. Only the functions of this file create one. It is never a path on a disk.
 */
export type VirtualPath = string & { readonly [virtualPathBrand]: true };

/** Bytes of UTF-8 that one name may have. */
export const maxNameBytes = 255;

/**
 * Bytes of UTF-8 that a name may have before normalisation. It shortens a name to a third at most, and takes seconds
 * for longer names.
 */
const maxRawNameBytes = 4 * maxNameBytes;

/** Bytes of UTF-8 that a whole path may have. */
export const maxPathBytes = 4096;

/** The root of every tree. */
export const rootPath = '/' as VirtualPath;

/** Names of printable ASCII, which are in NFC and have as many bytes as characters. */
const plainName = /^(?!\.{1,2}$)[ -.0-~]{1,255}$/u;

const controlCharacter = /\p{Cc}/u;

/**
 * The path that these segments name. Refuses empty segments, `.`, `..`, `/` inside a name, control characters, lone
 * surrogates, names over 255 bytes and paths over 4096.
 * @throws CodedError `path_invalid`
 */
export function virtualPathOf(segments: readonly string[]): VirtualPath {
  const path = `/${segments.map(checkedName).join('/')}`;
  if (isLongerThan(path, maxPathBytes)) refuse(`a path has at most ${maxPathBytes} bytes`);
  return path as VirtualPath;
}

/**
 * Reads an absolute or relative path as a client wrote it, from the root: one leading and one trailing slash are
 * accepted, everything that `virtualPathOf` refuses is refused, including `.` and `..`.
 * @throws CodedError `path_invalid`
 */
export function parseVirtualPath(input: string | Uint8Array): VirtualPath {
  const text = decode(input);
  if (text === '' || text === '/') return rootPath;
  return virtualPathOf(text.replace(/^\//u, '').replace(/\/$/u, '').split('/'));
}

/**
 * Reads a path the way a POSIX client means it: relative to `base`, with `.`, `..` and doubled slashes resolved
 * lexically. `..` never leads above the root.
 * @throws CodedError `path_invalid`
 */
export function resolveVirtualPath(base: VirtualPath, input: string | Uint8Array): VirtualPath {
  const text = decode(input);
  const resolved: string[] = text.startsWith('/') ? [] : segmentsOf(base);
  for (const segment of text.split('/')) {
    if (segment === '..') resolved.pop();
    else if (segment !== '' && segment !== '.') resolved.push(segment);
  }
  return virtualPathOf(resolved);
}

/** The names from the root down; none for the root itself. */
export function segmentsOf(path: VirtualPath): string[] {
  return path === rootPath ? [] : path.slice(1).split('/');
}

/** The parent folder of `path`; the root is its own parent. */
export function parentOf(path: VirtualPath): VirtualPath {
  return (path.slice(0, path.lastIndexOf('/')) || '/') as VirtualPath;
}

/** The last name of `path`; empty for the root. */
export function nameOf(path: VirtualPath): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `base` with more names below it. @throws CodedError `path_invalid` */
export function joinVirtualPath(base: VirtualPath, ...names: readonly string[]): VirtualPath {
  if (names.length === 0) return base;
  const path = `${base === rootPath ? '' : base}/${names.map(checkedName).join('/')}`;
  if (isLongerThan(path, maxPathBytes)) refuse(`a path has at most ${maxPathBytes} bytes`);
  return path as VirtualPath;
}

/**
 * The path of an index entry. Its name was checked when it was stored; if folders were moved below others, its path
 * may be longer than a request can name.
 */
export function pathOfStored(folder: VirtualPath, name: string): VirtualPath {
  return `${folder === rootPath ? '' : folder}/${name}` as VirtualPath;
}

/** True when `path` is `ancestor` or lies below it. */
export function isWithin(path: VirtualPath, ancestor: VirtualPath): boolean {
  return ancestor === rootPath || path === ancestor || path.startsWith(`${ancestor}/`);
}

function decode(input: string | Uint8Array): string {
  if (typeof input === 'string') return input;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch (cause) {
    throw new CodedError('path_invalid', { detail: 'The path is not UTF-8', cause });
  }
}

function checkedName(name: string): string {
  if (plainName.test(name)) return name;
  if (isLongerThan(name, maxRawNameBytes)) refuse(`a name has at most ${maxNameBytes} bytes`);
  const normal = name.normalize('NFC');
  if (!normal.isWellFormed()) refuse('a name is well-formed Unicode');
  if (normal === '') refuse('a name is not empty');
  if (normal === '.' || normal === '..') refuse('`.` and `..` are not names');
  if (normal.includes('/') || controlCharacter.test(normal)) refuse('a name has no slash and no control character');
  if (isLongerThan(normal, maxNameBytes)) refuse(`a name has at most ${maxNameBytes} bytes`);
  return normal;
}

function refuse(rule: string): never {
  throw new CodedError('path_invalid', { detail: `The path is not valid: ${rule}` });
}

const encoder = new TextEncoder();

/** Whether a text has more bytes in UTF-8. A UTF-16 code unit has three at most: hardly a text has to be encoded. */
function isLongerThan(text: string, bytes: number): boolean {
  return text.length * 3 > bytes && encoder.encode(text).length > bytes;
}
