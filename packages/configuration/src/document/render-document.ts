import { isDeepStrictEqual } from 'node:util';
import { Document, parse, Scalar, visit } from 'yaml';

/** The format of a document. */
export type DocumentFormat = 'yaml' | 'json';

/** Renders a document such that reading it gives the same values: what looks like a variable is escaped. */
export function renderDocument(document: object, format: DocumentFormat): string {
  const escaped = withoutReferences(document);
  if (format === 'json') return `${withEscapes(JSON.stringify(escaped, undefined, 2), format)}\n`;
  // Texts of several lines are easier to read in blocks, which lose some blanks before the ends of lines.
  const text = renderYaml(escaped);
  return isDeepStrictEqual(parse(text), escaped) ? text : renderYaml(escaped, { blockQuote: false });
}

/** Characters that are not seen, or that move the cursor of a terminal, apart from those that JSON and YAML escape themselves. */
const unseen = /[\u007F-\u009F\p{Cf}\u2028\u2029]/u;

/** What is not seen stands in a text with quotation marks, where it can be escaped. */
function renderYaml(value: unknown, more: { readonly blockQuote?: false } = {}): string {
  const document = new Document(value, style);
  visit(document, {
    Scalar: (_key, node) => {
      if (typeof node.value === 'string' && unseen.test(node.value)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return withEscapes(document.toString({ ...style, ...more }), 'yaml');
}

/** Escapes what is not seen, which stands in texts with quotation marks alone. */
function withEscapes(text: string, format: DocumentFormat): string {
  return text.replaceAll(new RegExp(unseen, 'gu'), (found) => {
    if (format === 'yaml') return `\\U${hexOf(found.codePointAt(0) ?? 0, 8)}`;
    return Array.from({ length: found.length }, (_, at) => `\\u${hexOf(found.charCodeAt(at), 4)}`).join('');
  });
}

function hexOf(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
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
