import { evaluateValue, replaceExpressions, textOf } from '@waybill/workflow/expressions/evaluate-template';
import { compileExpression, evaluateExpression, type ExpressionScope } from '@waybill/workflow/expressions/expression';
import { mask, maskMembers, namesSecret } from './mask-secrets.ts';

/** Evaluates parameters so that they can be shown. */
export interface MaskedEvaluation {
  /** A text, of which what follows the first `limit` characters may be missing. @throws CodedError `expression_invalid` */
  text(template: string, limit: number): string;
  /** Any other value of JSON, as text. @throws CodedError `expression_invalid` */
  value(template: unknown): string;
}

/**
 * Evaluates with a mask in the place of every value whose name says that it is secret. What computes sees the mask only: part of a
 * secret cannot be told from other text.
 */
export function createMaskedEvaluation(scope: ExpressionScope): MaskedEvaluation {
  let masked: ExpressionScope | undefined;
  const maskedScope = (): ExpressionScope =>
    (masked ??= Object.fromEntries(Object.entries(scope).map(([name, value]) => [name, maskMembers(value)])));
  const evaluate = (source: string): string => {
    const expression = compileExpression(source);
    if (expression.kind === 'computed') return textOf(evaluateExpression(source, maskedScope()));
    return expression.names.some(namesSecret) ? mask : textOf(maskMembers(evaluateExpression(source, scope)));
  };
  return {
    text: (template, limit) => replaceExpressions(template, limit, evaluate),
    value: (template) => textOf(maskMembers(evaluateValue(template, maskedScope()))),
  };
}
