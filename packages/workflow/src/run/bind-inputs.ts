import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';

type Inputs = Readonly<Record<string, WorkflowInput>>;
type Variables = Readonly<Record<string, unknown>>;

/**
 * The variables of a new job: those that inputs declare have the declared type, and their default if no variable gives them.
 * @throws CodedError `validation_failed`, naming each missing or wrong input
 */
export function bindInputs(inputs: Inputs, variables: Variables): Variables {
  const bound: Record<string, unknown> = { ...variables };
  const faults: FieldError[] = [];
  for (const [name, input] of Object.entries(inputs)) {
    const given = Object.hasOwn(variables, name) ? variables[name] : input.default;
    if (given === undefined) {
      faults.push({ field: name, message: 'is missing: the workflow needs this input' });
      continue;
    }
    const converted = convertInput(given, input);
    if ('fault' in converted) faults.push({ field: name, message: converted.fault });
    else bound[name] = converted.value;
  }
  if (faults.length === 0) return bound;
  const detail = faults.map(({ field, message }) => `${field}: ${message}`).join('; ');
  throw new CodedError('validation_failed', { detail, fields: faults });
}

/** The value of an input, or why the given value is none. A text is converted if another type is wanted. */
export function convertInput(given: unknown, { type }: WorkflowInput): { value: unknown } | { fault: string } {
  const value = typeof given === 'string' ? convertText(given.trim(), type, given) : given;
  return hasType[type](value) ? { value } : { fault: `must be ${words[type]}` };
}

type InputType = WorkflowInput['type'];

function convertText(trimmed: string, type: InputType, given: string): unknown {
  if (type === 'integer') return /^-?\d+$/u.test(trimmed) ? Number(trimmed) : given;
  if (type !== 'boolean') return given;
  return trimmed === 'true' || trimmed === 'false' ? trimmed === 'true' : given;
}

const hasType: Readonly<Record<InputType, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  list: (value) => Array.isArray(value),
  map: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

const words: Readonly<Record<InputType, string>> = {
  text: 'a text',
  integer: 'an integer',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
};
