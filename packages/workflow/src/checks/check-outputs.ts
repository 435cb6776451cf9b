import type { WorkflowInput, WorkflowOutput } from '@waybill/contracts/configuration/workflow-template';
import { convertInput } from '../run/bind-inputs.ts';
import { describeMismatch } from './check-call.ts';
import type { CheckExpression } from './check-expression.ts';
import { checkText, checkValue, hasAnyExpression } from './check-value.ts';
import { anything, jsonTypeOf, objectOf, type ScopeType, valueOf } from './scope-type.ts';
import type { TemplateFault } from './template-fault.ts';

type Outputs = Readonly<Record<string, WorkflowOutput>>;

/** Checks the expressions and the types of the outputs of a workflow. */
export function checkOutputs(outputs: Outputs, check: CheckExpression): TemplateFault[] {
  return Object.entries(outputs).flatMap(([name, { value, type }]) => {
    const path = ['outputs', name, 'value'];
    const faults = checkValue(value, path, check);
    if (faults.length > 0 || type === undefined) return faults;
    const message = mismatchOf(value, type, check);
    return message === undefined ? [] : [{ path, message }];
  });
}

function mismatchOf(value: unknown, type: WorkflowInput['type'], check: CheckExpression): string | undefined {
  if (hasAnyExpression(value)) {
    return typeof value === 'string' ? describeMismatch(type, checkText(value, [], check).type) : undefined;
  }
  const converted = convertInput(value, { type, description: '' });
  return 'fault' in converted ? converted.fault : undefined;
}

const declaredTypes = {
  text: 'string',
  integer: 'int',
  boolean: 'bool',
  list: 'list',
  map: 'map<string, dyn>',
} as const satisfies Record<WorkflowInput['type'], string>;

const storedTypes: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'double',
  boolean: 'bool',
  array: 'list',
  object: 'map<string, dyn>',
};

/** What expressions can name of the outputs of a workflow, which are stored as JSON. */
export function outputsScope(outputs: Outputs, check: CheckExpression): ScopeType {
  const types = Object.entries(outputs).map(([name, { value, type }]): [string, ScopeType] => {
    if (type !== undefined) return [name, valueOf(declaredTypes[type])];
    const found = typeof value === 'string' ? jsonTypeOf(checkText(value, [], check).type) : undefined;
    const stored = found === undefined ? undefined : storedTypes[found];
    return [name, stored === undefined ? anything : valueOf(stored)];
  });
  return objectOf(Object.fromEntries(types));
}
