type Json = Readonly<Record<string, unknown>>;

/** Applies a JSON merge patch (RFC 7396): its members replace those of the target, `null` removes them. */
export function mergePatch(target: Json, patch: Json): Json {
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else if (isObject(value)) merged.set(name, mergePatch(objectOr(merged.get(name)), value));
    else merged.set(name, value);
  }
  return Object.fromEntries(merged);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function objectOr(value: unknown): Json {
  return isObject(value) ? value : {};
}
