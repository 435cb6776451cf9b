import { createHash } from 'node:crypto';
import type { StoredEntity } from '../sources/stored-entities.ts';

/**
 * The version of an entity: the same as long as its settings and its owner stay the same. It does not tell whether its
 * password has changed.
 */
export function versionOf({ id, source, definition }: StoredEntity): string {
  return createHash('sha256')
    .update(canonicalJson([id, source, definition]))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * A value as JSON whose maps have their members in one order, so that equal values have the same text: PostgreSQL orders the
 * members of a `jsonb` value by length, others by when they were set.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
