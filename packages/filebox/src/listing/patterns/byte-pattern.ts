import { parseNamePattern } from '@waybill/contracts/values/name-pattern';

/** A pattern with at least one `*`, as bytes like the cached names. */
export interface BytePattern {
  /** The beginning of a name. */
  readonly prefix: Uint8Array;
  /** The parts after that, in this order, with anything before, between and after. */
  readonly between: readonly Uint8Array[];
  /** The end of a name. */
  readonly suffix: Uint8Array;
}

/** The bytes of a pattern. Undefined for a plain name. */
export function bytePatternOf(pattern: string): BytePattern | undefined {
  const { prefix, between, suffix } = parseNamePattern(pattern);
  if (suffix === undefined) return undefined;
  return {
    prefix: Buffer.from(prefix),
    between: between.map((literal) => Buffer.from(literal)),
    suffix: Buffer.from(suffix),
  };
}

/** Whether a pattern matches the name from `start` to `end`, which is known to begin with its prefix. */
export function matches(
  bytes: Uint8Array,
  start: number,
  end: number,
  { prefix, between, suffix }: BytePattern,
): boolean {
  let from = start + prefix.length;
  const to = end - suffix.length;
  if (to < from) return false;
  for (let at = 0; at < suffix.length; at += 1) if (bytes[to + at] !== suffix[at]) return false;
  for (const literal of between) {
    const found = indexIn(bytes, literal, from, to);
    if (found === -1) return false;
    from = found + literal.length;
  }
  return true;
}

/** Names are short: a call into native code for each would take longer than this. */
function indexIn(bytes: Uint8Array, literal: Uint8Array, from: number, to: number): number {
  const last = to - literal.length;
  const [head] = literal;
  for (let start = from; start <= last; start += 1) {
    if (bytes[start] !== head) continue;
    let length = 1;
    while (length < literal.length && bytes[start + length] === literal[length]) length += 1;
    if (length >= literal.length) return start;
  }
  return -1;
}
