import { itemsAtMost } from '@waybill/contracts/configuration/workflow-step';
import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateValue } from '../expressions/evaluate-template.ts';
import { evaluateExpression, type ExpressionScope } from '../expressions/expression.ts';
import { hasExpression, loneExpression } from '../expressions/template-text.ts';

/** What `foreach` of a step says. */
type Foreach = NonNullable<StoredStep['foreach']>;

/** The same with all of its fields. */
export interface ItemRules {
  /** A list, or an expression that gives one. */
  readonly in: string | readonly unknown[];
  readonly parallelism: number;
  readonly continueOnError: boolean;
}

/** How a step runs for its items. */
export function itemRulesOf(foreach: Foreach): ItemRules {
  if (typeof foreach === 'string' || Array.isArray(foreach)) {
    return { in: foreach, parallelism: 1, continueOnError: false };
  }
  const { parallelism = 1, continueOnError = false } = foreach;
  return { in: foreach.in, parallelism, continueOnError };
}

/**
 * The items that a step runs for. `scope` must be the same whenever the step begins: an item is known by its number.
 * @throws CodedError `expression_invalid`: it cannot be evaluated, is no list, or has too many items
 */
export function evaluateItems({ in: given }: ItemRules, scope: ExpressionScope): readonly unknown[] {
  const items = typeof given === 'string' ? evaluateSource(given, scope) : evaluateValue(given, scope);
  if (!Array.isArray(items)) {
    throw new CodedError('expression_invalid', {
      detail: `The value of foreach is not a list: ${JSON.stringify(given)}`,
    });
  }
  if (items.length <= itemsAtMost) return items;
  const detail = `The list of foreach has ${items.length} items; a step runs for ${itemsAtMost} at most`;
  throw new CodedError('expression_invalid', { detail });
}

/** The expression stands with or without `${{ }}` around it. */
function evaluateSource(text: string, scope: ExpressionScope): unknown {
  const source = hasExpression(text) ? loneExpression(text) : text.trim();
  return source === undefined ? undefined : evaluateExpression(source, scope);
}
