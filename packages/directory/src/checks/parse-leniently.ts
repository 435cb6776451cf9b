import type { z } from 'zod';
import { unlessTooMany } from './parse-settings.ts';

/**
 * Parses a part of a configuration whose unknown settings are reported elsewhere: it is read without them. `undefined` if
 * anything else is wrong.
 */
export function parseLeniently<S extends z.ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  const parsed = unlessTooMany(() => schema.safeParse(value));
  if (!parsed) return undefined;
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? [issue] : []));
  if (unknown.length < issues.length) return undefined;
  const copy: unknown = structuredClone(value);
  for (const { path, keys } of unknown) {
    const holder = memberAt(copy, path);
    for (const key of keys) if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, key);
  }
  return schema.safeParse(copy).data;
}

function memberAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let member = value;
  for (const key of path) {
    if (typeof member !== 'object' || member === null) return undefined;
    member = Reflect.get(member, key);
  }
  return member;
}
