import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseTemplate } from './parse-template.ts';

/** The values that expressions can name, by their first name. */
export type ExpressionScope = Readonly<Record<string, unknown>>;

/**
 * Replaces a template's expressions by values, once: a value that looks like an expression is not evaluated.
 * Numbers, booleans, objects and arrays are written as JSON, null as an empty text. @throws CodedError
 * `expression_invalid`: the syntax is wrong, or a name is unknown
 */
export function evaluateTemplate(template: string, scope: ExpressionScope): string {
  return parseTemplate(template)
    .map((part) => (part.kind === 'text' ? part.text : textOf(look(part.names, part.source, scope))))
    .join('');
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
