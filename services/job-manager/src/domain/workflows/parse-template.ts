import { CodedError } from '@waybill/contracts/errors/coded-error';

/** A piece of a template: literal text, or the path of names to a value. */
export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reference'; readonly names: readonly string[]; readonly source: string };

const opening = '${{';
const closing = '}}';
const name = /[A-Za-z_][\w-]*/uy;
const quotedName = /\[\s*'((?:[^'\\]|\\['\\])*)'\s*\]/uy;

/**
 * Parses a template. `${{ file.path }}` stands for a value; names are joined by dots, or are in brackets and quotes
 * if they contain other characters: `${{ variables['två ord'] }}` (`\'` and `\\` inside). Everything else is text.
 * @throws CodedError `expression_invalid`
 */
export function parseTemplate(template: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let position = 0;
  for (;;) {
    const start = template.indexOf(opening, position);
    if (start > position || (start < 0 && position < template.length)) {
      parts.push({ kind: 'text', text: template.slice(position, start < 0 ? undefined : start) });
    }
    if (start < 0) return parts;
    const { names, end } = readReference(template, start + opening.length);
    parts.push({ kind: 'reference', names, source: template.slice(start + opening.length, end).trim() });
    position = end + closing.length;
  }
}

function readReference(template: string, start: number): { names: string[]; end: number } {
  let position = skipBlanks(template, start);
  const names = [match(name, template, position)?.[0] ?? refuse(template, position, 'a name is expected')];
  position += names[0]?.length ?? 0;
  for (;;) {
    const next = readMember(template, position);
    if (!next) break;
    names.push(next.name);
    position = next.end;
  }
  const end = skipBlanks(template, position);
  if (!template.startsWith(closing, end)) refuse(template, end, '`}}` is expected');
  return { names, end };
}

function readMember(template: string, position: number): { name: string; end: number } | undefined {
  if (template[position] === '.') {
    const found = match(name, template, position + 1) ?? refuse(template, position + 1, 'a name is expected');
    return { name: found[0], end: position + 1 + found[0].length };
  }
  if (template[position] === '[') {
    const found = match(quotedName, template, position) ?? refuse(template, position, "`['name']` is expected");
    return { name: (found[1] ?? '').replaceAll(/\\(.)/gu, '$1'), end: position + found[0].length };
  }
  return undefined;
}

function match(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

function skipBlanks(text: string, start: number): number {
  let position = start;
  while (/\s/u.test(text[position] ?? '')) position += 1;
  return position;
}

function refuse(template: string, position: number, rule: string): never {
  throw new CodedError('expression_invalid', {
    detail: `The expression is not valid: ${rule} at character ${position + 1} of ${JSON.stringify(template)}`,
  });
}
