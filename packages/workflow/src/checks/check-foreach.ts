import { itemsAtMost } from '@waybill/contracts/configuration/workflow-step';
import { itemRulesOf } from '../run/foreach-items.ts';
import type { CheckExpression } from './check-expression.ts';
import { checkSource, checkValue, hasAnyExpression } from './check-value.ts';
import { anything, jsonTypeOf, describeType, type ScopeType, valueOf } from './scope-type.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/** What is wrong with the list of a step, and the type of its items. */
export interface CheckedForeach {
  readonly faults: readonly TemplateFault[];
  readonly item: ScopeType;
}

/** Checks the list that a step runs for: a list of values, or an expression that gives one. */
export function checkForeach(
  foreach: NonNullable<WrittenStep['foreach']>,
  place: TemplateFault['path'],
  check: CheckExpression,
): CheckedForeach {
  const { in: given } = itemRulesOf(foreach);
  const path = typeof foreach === 'string' || Array.isArray(foreach) ? place : [...place, 'in'];
  if (typeof given !== 'string') {
    const isTexts = given.every((item) => typeof item === 'string' && !hasAnyExpression(item));
    return { faults: checkValue(given, path, check), item: isTexts ? valueOf('string') : anything };
  }
  const { faults, type } = checkSource(given, path, check);
  if (faults.length > 0) return { faults, item: anything };
  if (type !== 'dyn' && jsonTypeOf(type) !== 'array') {
    const message = `must be a list of at most ${itemsAtMost} items, and the expression is ${describeType(type)}`;
    return { faults: [{ path, message }], item: anything };
  }
  return { faults: [], item: itemType(type) };
}

/** The type of the members of `list<string>`. */
function itemType(list: string): ScopeType {
  const [, member] = /^list<(\w+)>$/u.exec(list) ?? [];
  return member === undefined ? anything : valueOf(member);
}
