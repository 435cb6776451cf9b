import { createHash } from 'node:crypto';
import type { StoredEntity } from '../sources/stored-entities.ts';

/**
 * The version of an entity: the same as long as its settings and its owner stay the same. It does not tell whether its
 * password has changed.
 */
export function versionOf({ id, source, definition }: StoredEntity): string {
  return createHash('sha256')
    .update(JSON.stringify([id, source, canonical(definition)]))
    .digest('base64url')
    .slice(0, 22);
}

/**
 * A value whose maps have their members in one order, so that equal values have the same JSON: PostgreSQL orders the members
 * of a `jsonb` value by length, others by when they were set.
 */
export function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, canonical(member)]),
  );
}
