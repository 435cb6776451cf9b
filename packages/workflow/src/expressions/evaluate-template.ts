import { evaluateExpression, type ExpressionScope } from './expression.ts';
import { hasExpression, loneExpression, splitTemplate } from './template-text.ts';

/**
 * Replaces a text's expressions by values, once: a value that looks like an expression is not evaluated. Numbers, booleans,
 * objects and arrays are written as JSON, null as an empty text. What follows the first `limit` characters may be missing.
 * @throws CodedError `expression_invalid`
 */
export function evaluateText(template: string, scope: ExpressionScope, limit = Infinity): string {
  return replaceExpressions(template, limit, (source) => textOf(evaluateExpression(source, scope)));
}

/** The same with another text in the place of each expression. @throws CodedError `expression_invalid`: the syntax is wrong */
export function replaceExpressions(template: string, limit: number, textAt: (source: string) => string): string {
  let text = '';
  for (const part of splitTemplate(template)) {
    if (text.length > limit) break;
    text += part.kind === 'text' ? part.text : textAt(part.source);
  }
  return text;
}

/**
 * Evaluates the expressions in all texts of a value of JSON. A text that is one expression and nothing else becomes the
 * expression's value, with its type. @throws CodedError `expression_invalid`
 */
export function evaluateValue(value: unknown, scope: ExpressionScope): unknown {
  if (typeof value === 'string') {
    if (!hasExpression(value)) return value;
    const lone = loneExpression(value);
    return lone === undefined ? evaluateText(value, scope) : evaluateExpression(lone, scope);
  }
  if (Array.isArray(value)) return value.map((item) => evaluateValue(item, scope));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, evaluateValue(member, scope)]));
}

/** A value within a text. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
