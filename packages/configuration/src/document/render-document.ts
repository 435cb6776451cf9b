import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';

/** The format of a document. */
export type DocumentFormat = 'yaml' | 'json';

/** Renders a document such that reading it gives the same values: what looks like a variable is escaped. */
export function renderDocument(document: object, format: DocumentFormat): string {
  const escaped = withoutReferences(document);
  if (format === 'json') return `${JSON.stringify(escaped, undefined, 2)}\n`;
  // Texts of several lines are easier to read in blocks, which lose some blanks before the ends of lines.
  const text = stringify(escaped, style);
  return isDeepStrictEqual(parse(text), escaped) ? text : stringify(escaped, { ...style, blockQuote: false });
}

const style = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** `${` is the start of a variable, unless it is the one of a workflow expression, `${{`; after another `$` it always is one. */
const readAsReference = /(?<=\$)\$\{|\$\{(?!\{)/gu;

function withoutReferences(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll(readAsReference, () => '$${');
  if (Array.isArray(value)) return value.map(withoutReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutReferences(member)]));
}
