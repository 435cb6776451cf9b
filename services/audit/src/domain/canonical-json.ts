/** A JSON value. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * The canonical text of a value: JSON canonicalized as in RFC 8785 (JCS). No white space, member names in order of
 * their UTF-16 code units, strings and numbers as ECMAScript writes them.
 * @throws TypeError for a number that is not finite, and for text that is not well-formed Unicode (RFC 8785 section 3.2.2)
 */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`JSON has no ${value}`);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  // The default order of `sort` is that of UTF-16 code units, as RFC 8785 section 3.2.3 requires.
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${quote(name)}:${canonicalJson(value[name] ?? null)}`).join(',')}}`;
}

function quote(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('JSON text is well-formed Unicode');
  return JSON.stringify(text);
}

/** `Array.isArray` does not narrow a union with a readonly array. */
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
