/**
 * A parsed pattern of names: `*` matches any characters, including none; every other character matches itself,
 * case-sensitively.
 */
export interface NamePattern {
  /** The prefix of a name. If the pattern has no `*`, the whole name. */
  readonly prefix: string;
  /**
   * The texts after the prefix, in this order, with any characters before, between and after them. No text is empty.
   */
  readonly between: readonly string[];
  /** The suffix of a name; undefined if the pattern has no `*`. */
  readonly suffix: string | undefined;
}

/**
 * Parses a pattern, and converts it to NFC, as names are stored. Every text is a valid pattern; `**` is the same as
 * `*`.
 */
export function parseNamePattern(pattern: string): NamePattern {
  const [prefix = '', ...rest] = pattern.normalize('NFC').split(/\*+/u);
  const suffix = rest.pop();
  return { prefix, between: rest, suffix };
}

/** The literal texts of a pattern in their order: one if it has no `*`, otherwise one before and one after each `*`. */
export function literalsOf({ prefix, between, suffix }: NamePattern): readonly string[] {
  return suffix === undefined ? [prefix] : [prefix, ...between, suffix];
}

/** True if a name matches the pattern. The time for each `*` is linear in both lengths, in the worst case too. */
export function matchesPattern(name: string, { prefix, between, suffix }: NamePattern): boolean {
  if (suffix === undefined) return name === prefix;
  if (name.length < prefix.length + suffix.length || !name.startsWith(prefix) || !name.endsWith(suffix)) return false;
  const end = name.length - suffix.length;
  let position = prefix.length;
  for (const literal of between) {
    const found = name.indexOf(literal, position);
    if (found === -1 || found + literal.length > end) return false;
    position = found + literal.length;
  }
  return true;
}
