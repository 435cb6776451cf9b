import { isRecord, valueOf } from '../changes/records.ts';

/** The JSON merge patch (RFC 7396) that makes one value of another. @throws Error if the new value is no object */
export function patchBetween(before: unknown, after: unknown): Record<string, unknown> {
  if (!isRecord(after)) throw new Error('Settings are an object with names and values');
  const known = isRecord(before) ? before : {};
  const patch: Record<string, unknown> = {};
  for (const name of Object.keys(known)) if (!Object.hasOwn(after, name)) patch[name] = null;
  for (const [name, value] of Object.entries(after)) {
    const old = valueOf(known, name);
    if (JSON.stringify(old) === JSON.stringify(value)) continue;
    patch[name] = isRecord(value) ? patchBetween(old, value) : value;
  }
  return patch;
}
