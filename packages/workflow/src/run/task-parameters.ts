import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainIssue } from '@waybill/contracts/errors/explain-issue';
import { z } from 'zod';
import { evaluateValue, textOf } from '../expressions/evaluate-template.ts';
import type { ExpressionScope } from '../expressions/expression.ts';

/**
 * Evaluates the parameters of a step, for its task. A parameter that is a text takes any value: it is written as in the midst of
 * a text. @throws CodedError `expression_invalid`; `validation_failed`, naming the invalid parameters
 */
export function evaluateParameters<S extends z.ZodType>(
  given: Readonly<Record<string, unknown>>,
  scope: ExpressionScope,
  schema: S,
): z.output<S> {
  const evaluated = Object.fromEntries(
    Object.entries(given).map(([name, template]) => {
      const value = evaluateValue(template, scope);
      const wantsText = typeof value !== 'string' && typeof template === 'string' && isTextParameter(schema, name);
      return [name, wantsText ? textOf(value) : value];
    }),
  );
  const parsed = schema.safeParse(evaluated, { error: explainIssue });
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'with'}: ${message}`);
  throw new CodedError('validation_failed', { detail: faults.join('; '), cause: parsed.error });
}

/** The types of JSON that a parameter takes, such as `string`; `undefined` if any, or if there is no such parameter. */
export function parameterTypes(schema: z.ZodType, name: string): ReadonlySet<string> | undefined {
  const known = typesOf(schema);
  return Object.hasOwn(known, name) ? known[name] : undefined;
}

function isTextParameter(schema: z.ZodType, name: string): boolean {
  const types = parameterTypes(schema, name);
  return types?.size === 1 && types.has('string');
}

const typesBySchema = new WeakMap<z.ZodType, Readonly<Record<string, ReadonlySet<string> | undefined>>>();

function typesOf(schema: z.ZodType): Readonly<Record<string, ReadonlySet<string> | undefined>> {
  const known = typesBySchema.get(schema);
  if (known) return known;
  const shape: Readonly<Record<string, unknown>> = schema instanceof z.ZodObject ? schema.shape : {};
  const types = Object.fromEntries(
    Object.entries(shape).map(([name, parameter]) => [
      name,
      parameter instanceof z.ZodType
        ? jsonTypes(z.toJSONSchema(parameter, { io: 'input', unrepresentable: 'any' }))
        : undefined,
    ]),
  );
  typesBySchema.set(schema, types);
  return types;
}

interface JsonSchemaPart {
  type?: unknown;
  anyOf?: unknown;
  enum?: readonly unknown[];
}

function jsonTypes(schema: JsonSchemaPart): ReadonlySet<string> | undefined {
  if (typeof schema.type === 'string') return new Set([schema.type]);
  if (!Array.isArray(schema.anyOf)) return undefined;
  const all = schema.anyOf.map((part: JsonSchemaPart) => jsonTypes(part));
  const types = new Set<string>();
  for (const some of all) {
    if (!some) return undefined;
    for (const type of some) types.add(type);
  }
  return types;
}
