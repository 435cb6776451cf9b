/** One condition of a filter expression, not validated yet. */
export interface FilterCondition {
  readonly field: string;
  readonly value: string;
  /** `^=`: the field begins with the value; otherwise it is the value. */
  readonly isPrefix: boolean;
}

/** The conditions of an expression, or its syntax error (`position` counts UTF-16 units from 0). */
export type FilterExpression =
  | { readonly conditions: readonly FilterCondition[] }
  | { readonly syntaxError: string; readonly position: number };

const opening = /\s*\{/uy;
const condition = /\s*([A-Za-z]+)\s*(\^?)=\s*"((?:[^"\\]|\\[^])*)"\s*/uy;
const joint = /\s*,/uy;
const closing = /\}\s*/uy;

/**
 * Reads `{field="value"}`, and `{field^="value"}` for a prefix. Several conditions are joined by `,`, inside one pair of braces or between pairs:
 * `{a="1",b="2"}` and `{a="1"},{b="2"}` are equivalent. In a value `\"` is a quote and `\\` a backslash; a
 * backslash before any other character is literal. White space between the parts is ignored.
 */
export function parseFilterExpression(text: string): FilterExpression {
  const conditions: FilterCondition[] = [];
  let position = 0;
  const take = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = position;
    const match = pattern.exec(text) ?? undefined;
    position += match?.[0].length ?? 0;
    return match;
  };
  do {
    if (!take(opening)) return { syntaxError: 'expected "{"', position };
    do {
      const match = take(condition);
      if (!match) return { syntaxError: 'expected field="value"', position };
      const [, field = '', caret, value = ''] = match;
      conditions.push({ field, value: value.replaceAll(/\\(["\\])/gu, '$1'), isPrefix: caret === '^' });
    } while (take(joint));
    if (!take(closing)) return { syntaxError: 'expected "," or "}"', position };
  } while (take(joint));
  if (position < text.length) return { syntaxError: 'expected "," or the end', position };
  return { conditions };
}
