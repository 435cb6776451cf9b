/** A text of the catalogue in brackets, a part of it with all its texts, or a function whose results are. */
export function bracketed<T>(part: T): T;
export function bracketed(part: unknown): unknown {
  if (typeof part === 'string') return part === '' ? '' : `⟦${part}⟧`;
  if (typeof part === 'function')
    return (...values: unknown[]): unknown => bracketed(Reflect.apply(part, undefined, values));
  if (Array.isArray(part)) return part.map((each) => bracketed<unknown>(each));
  if (typeof part !== 'object' || part === null) return part;
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, bracketed<unknown>(each)]));
}
