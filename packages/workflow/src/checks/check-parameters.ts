import { explainIssue, explainUnknownParameter } from '@waybill/contracts/errors/explain-issue';
import type { TaskSpecification } from '@waybill/contracts/tasks/task-specification';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { z } from 'zod';
import { parameterTypes } from '../run/task-parameters.ts';
import type { CheckExpression } from './check-expression.ts';
import { hasAnyExpression, checkText } from './check-value.ts';
import { describeJsonType, describeType, jsonTypeOf } from './scope-type.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/** The specification of a task; `undefined` if there is none. */
export function specificationOf(task: string): TaskSpecification | undefined {
  const known: Readonly<Record<string, TaskSpecification>> = taskSpecifications;
  return Object.hasOwn(known, task) ? known[task] : undefined;
}

/**
 * Checks `with` against the parameters of the task: unknown and missing ones, values without expressions, and the types of
 * expressions. No message contains a value, which may be a secret.
 */
export function checkParameters(
  step: WrittenStep,
  path: TemplateFault['path'],
  check: CheckExpression,
): TemplateFault[] {
  const specification = specificationOf(step.uses);
  if (!specification) return [];
  const { shape } = specification.parameters;
  const known = Object.keys(shape);
  return [
    ...Object.entries(step.with).flatMap(([name, value]) =>
      Object.hasOwn(shape, name)
        ? checkParameter(specification.parameters, { name, value }, [...path, name], check)
        : [{ path: [...path, name], message: explainUnknownParameter(step.uses, name, known) }],
    ),
    ...missing(step, specification.parameters).map((name) => ({
      path,
      message: `the task ${step.uses} needs the parameter ${name}`,
    })),
  ];
}

function missing(step: WrittenStep, parameters: z.ZodObject): string[] {
  return Object.entries(parameters.shape).flatMap(([name, schema]: [string, z.ZodType]) =>
    Object.hasOwn(step.with, name) || schema.safeParse(undefined).success ? [] : [name],
  );
}

function checkParameter(
  parameters: z.ZodObject,
  { name, value }: { name: string; value: unknown },
  path: TemplateFault['path'],
  check: CheckExpression,
): TemplateFault[] {
  const schema: unknown = parameters.shape[name];
  if (!(schema instanceof z.ZodType)) return [];
  if (!hasAnyExpression(value)) {
    const { error } = schema.safeParse(value, { error: explainIssue });
    return (error?.issues ?? []).map((issue) => ({
      path: [...path, ...issue.path.filter((part) => typeof part !== 'symbol')],
      message: issue.message,
    }));
  }
  if (typeof value !== 'string') return [];
  const { type } = checkText(value, path, check);
  const wanted = parameterTypes(parameters, name);
  const given = jsonTypeOf(type);
  if (!wanted || given === undefined || wanted.has('string') || wanted.has(given)) return [];
  if (given === 'integer' && wanted.has('number')) return [];
  const kinds = [...wanted].map(describeJsonType).join(' or ');
  return [{ path, message: `must be ${kinds}, and the expression is ${describeType(type)}` }];
}
