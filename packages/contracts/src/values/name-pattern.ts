/** A pattern of names, taken apart: `*` stands for any characters, also none; everything else for itself, case included. */
export interface NamePattern {
  /** What a name begins with. The whole name, when the pattern has no `*`. */
  readonly prefix: string;
  /** What follows the prefix, in this order, with any characters before, between and behind. No text is empty. */
  readonly between: readonly string[];
  /** What a name ends with; undefined when the pattern has no `*`. */
  readonly suffix: string | undefined;
}

/** Parses a pattern, in the form that names are stored in (NFC). Each text is a pattern; `**` is the same as `*`. */
export function parseNamePattern(pattern: string): NamePattern {
  const [prefix = '', ...rest] = pattern.normalize('NFC').split(/\*+/u);
  const suffix = rest.pop();
  return { prefix, between: rest, suffix };
}

/** The literal texts of a pattern in their order: one when it has no `*`, otherwise one before and one behind each `*`. */
export function literalsOf({ prefix, between, suffix }: NamePattern): readonly string[] {
  return suffix === undefined ? [prefix] : [prefix, ...between, suffix];
}

/** True when a pattern means `name`. Takes time linear in both for each `*`, whatever they are. */
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
