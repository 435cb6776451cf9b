import { CodedError } from '@waybill/contracts/errors/coded-error';
import { mask, maskMembers, namesSecret } from './mask-secrets.ts';
import { parseTemplate } from './parse-template.ts';

/** The values that expressions can name, by their first name. */
export type ExpressionScope = Readonly<Record<string, unknown>>;

/**
 * Replaces a template's expressions by values, once: a value that looks like an expression is not evaluated.
 * Numbers, booleans, objects and arrays are written as JSON, null as an empty text. What follows the first `limit`
 * characters may be missing. @throws CodedError `expression_invalid`: the syntax is wrong, or a name is unknown
 */
export function evaluateTemplate(template: string, scope: ExpressionScope, limit = Infinity): string {
  return evaluateParts(template, limit, (names, source) => textOf(look(names, source, scope)));
}

/** The same with a mask in the place of every value whose name says that it is secret. @throws CodedError as above */
export function evaluateMasked(template: string, scope: ExpressionScope, limit = Infinity): string {
  return evaluateParts(template, limit, (names, source) => {
    const value = look(names, source, scope);
    return names.some(namesSecret) ? mask : textOf(maskMembers(value));
  });
}

function evaluateParts(
  template: string,
  limit: number,
  textAt: (names: readonly string[], source: string) => string,
): string {
  let text = '';
  for (const part of parseTemplate(template)) {
    if (text.length > limit) break;
    text += part.kind === 'text' ? part.text : textAt(part.names, part.source);
  }
  return text;
}

function look(names: readonly string[], source: string, scope: ExpressionScope): unknown {
  let value: unknown = scope;
  for (const [index, name] of names.entries()) {
    // Only what the value itself holds: `constructor` and its kin are not for templates.
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
      const missing = names.slice(0, index + 1).join('.');
      throw new CodedError('expression_invalid', {
        detail: `The expression ${JSON.stringify(source)} cannot be evaluated: there is no ${missing}`,
      });
    }
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '';
  return JSON.stringify(value);
}
