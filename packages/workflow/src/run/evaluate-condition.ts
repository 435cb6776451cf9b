import { CodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateExpression, type ExpressionScope } from '../expressions/expression.ts';
import { hasExpression, loneExpression } from '../expressions/template-text.ts';

/**
 * Whether a step runs: its `if` is true, or absent. The expression stands with or without `${{ }}` around it.
 * @throws CodedError `expression_invalid`: it cannot be evaluated, or is neither true nor false
 */
export function isConditionMet(condition: boolean | string | undefined, scope: ExpressionScope): boolean {
  if (condition === undefined || typeof condition === 'boolean') return condition ?? true;
  const source = hasExpression(condition) ? loneExpression(condition) : condition.trim();
  const value = source === undefined ? undefined : evaluateExpression(source, scope);
  if (typeof value === 'boolean') return value;
  const detail = `The condition ${JSON.stringify(condition)} is neither true nor false: compare it with something`;
  throw new CodedError('expression_invalid', { detail });
}
