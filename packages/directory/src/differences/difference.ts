import { isDeepStrictEqual } from 'node:util';
import { keyFingerprint } from '../users/public-key-line.ts';

/** A value that differs; `undefined` if it is absent. */
export interface Difference {
  /** As in `actions[pack].trigger.filePattern`. */
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * The innermost values in which two settings differ. Elements of a list that have a name, a path or a public key are
 * compared with the element of the same identity, so that an inserted element is one difference. A list of plain values
 * is one value.
 */
export function differencesOf(before: unknown, after: unknown, place = ''): Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  const [left, right] = [partsOf(before), partsOf(after)];
  const names = left && right ? [...new Set([...left.keys(), ...right.keys()])] : [];
  const inner = names.flatMap((name) => differencesOf(left?.get(name), right?.get(name), `${place}${name}`));
  // If only the order differs, no inner value does.
  return inner.length > 0 ? inner : [{ place: place.replace(/^\./u, ''), before, after }];
}

/** The members of a map or a list of maps, by their paths; `undefined` for anything else. */
function partsOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  if (isMap(value)) return new Map(Object.entries(value).map(([name, part]) => [`.${name}`, part]));
  if (!Array.isArray(value) || !value.every(isMap)) return undefined;
  const named = new Map(value.map((part, index) => [`[${nameOf(part) ?? index}]`, part]));
  return named.size === value.length ? named : undefined;
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A public key is known by its fingerprint, which other tools show too. */
function nameOf({ name, path, key }: Readonly<Record<string, unknown>>): string | undefined {
  const given = [name, path].find((candidate) => typeof candidate === 'string');
  if (given !== undefined || typeof key !== 'string') return given;
  const blob = /^\S+ (\S+)/u.exec(key)?.[1];
  return blob === undefined ? key : keyFingerprint(Buffer.from(blob, 'base64'));
}
