import type { StoredStep, WorkflowOutput } from '@waybill/contracts/configuration/workflow-template';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { evaluateValue } from '../expressions/evaluate-template.ts';
import type { ExpressionScope } from '../expressions/expression.ts';
import { bindInputs, convertInput } from './bind-inputs.ts';

/**
 * The inputs of the workflow that a step runs: what its steps know as `inputs` and as `variables`.
 * @throws CodedError `expression_invalid`; `validation_failed`, naming each missing or wrong input
 */
export function evaluateInputs({ with: given, call }: StoredStep, scope: ExpressionScope): Record<string, unknown> {
  const inputs = call?.inputs ?? {};
  const values = Object.entries(given).filter(([name]) => Object.hasOwn(inputs, name));
  return {
    ...bindInputs(inputs, Object.fromEntries(values.map(([name, value]) => [name, evaluateValue(value, scope)]))),
  };
}

/**
 * The outputs of a workflow whose steps have ended.
 * @throws CodedError `expression_invalid`: one cannot be evaluated, for example because its step was skipped, or has another type
 */
export function evaluateOutputs(
  outputs: Readonly<Record<string, WorkflowOutput>>,
  scope: ExpressionScope,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, evaluateOutput(name, output, scope)]),
  );
}

function evaluateOutput(name: string, { value: template, type }: WorkflowOutput, scope: ExpressionScope): unknown {
  try {
    const value = evaluateValue(template, scope);
    if (type === undefined) return value;
    const converted = convertInput(value, { type, description: '' });
    if ('fault' in converted) throw new CodedError('expression_invalid', { detail: converted.fault });
    return converted.value;
  } catch (error) {
    if (!isCodedError(error)) throw error;
    throw new CodedError('expression_invalid', { detail: `The output ${name}: ${error.message}`, cause: error });
  }
}
