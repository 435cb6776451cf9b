import { CodedError } from '@waybill/contracts/errors/coded-error';

/** A piece of a text: literal characters, or the source of an expression. `start`: where the source begins in the text. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'expression'; readonly source: string; readonly start: number };

const opening = '${{';
const closing = '}}';

/** An error in a text, with the index of the character where it is. */
export class TemplateError extends CodedError {
  readonly index: number;
  constructor(detail: string, index: number) {
    super('expression_invalid', { detail });
    this.index = index;
  }
}

/**
 * Splits a text at its `${{ }}` expressions. An expression ends at the first `}}` outside of quotes and of braces that it has
 * opened. Everything else is text. @throws TemplateError
 */
export function splitTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const found = template.indexOf(opening, position);
    if (found > position || (found < 0 && position < template.length)) {
      parts.push({ kind: 'text', text: template.slice(position, found < 0 ? undefined : found) });
    }
    if (found < 0) return parts;
    const start = found + opening.length;
    const end = endOf(template, start);
    const source = template.slice(start, end);
    if (source.trim() === '') throw faultAt(template, start, 'an expression is expected');
    parts.push({ kind: 'expression', source: source.trim(), start: start + source.length - source.trimStart().length });
    position = end + closing.length;
  }
}

/** The source of the expression if the text is one expression and nothing else. */
export function loneExpression(template: string): string | undefined {
  const [part, ...others] = splitTemplate(template);
  return part?.kind === 'expression' && others.length === 0 ? part.source : undefined;
}

/** Whether a text has an expression; one with an error counts. */
export function hasExpression(text: string): boolean {
  return text.includes(opening);
}

function endOf(template: string, start: number): number {
  let depth = 0;
  for (let index = start; index < template.length; index += 1) {
    const character = template[index];
    if (character === '"' || character === "'") index = endOfQuote(template, index);
    else if (character === '{') depth += 1;
    else if (character === '}' && depth > 0) depth -= 1;
    else if (template.startsWith(closing, index)) return index;
  }
  throw faultAt(template, template.length, '`}}` is expected');
}

/** The index of the closing quote; a backslash takes the next character along. */
function endOfQuote(template: string, start: number): number {
  for (let index = start + 1; index < template.length; index += 1) {
    if (template[index] === '\\') index += 1;
    else if (template[index] === template[start]) return index;
  }
  throw faultAt(template, template.length, `the quote at character ${start + 1} is not closed`);
}

const shownAtMost = 200;

function faultAt(template: string, index: number, rule: string): TemplateError {
  const shown = template.length > shownAtMost ? `${template.slice(0, shownAtMost)}…` : template;
  return new TemplateError(
    `The expression is not valid: ${rule} at character ${index + 1} of ${JSON.stringify(shown)}`,
    index,
  );
}
