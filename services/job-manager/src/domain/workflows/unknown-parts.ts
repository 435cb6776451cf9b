import { taskNameSchema, workflowCall } from '@waybill/contracts/configuration/workflow-step';
import { storedStepSchema } from '@waybill/contracts/configuration/workflow-template';
import { z } from 'zod';

/**
 * What a step needs of its worker, as stored with a job: `task gzip`, `field retry`, or `value of retry` for a known field
 * with a value that the worker cannot read.
 */
export type StepNeed = string;

const anyStepSchema = z.looseObject({ uses: z.string() });

/** The tasks of a worker, by their names. */
type NamedTasks = Readonly<Record<string, unknown>>;

/** Everything that a worker with these tasks understands. */
export function knownParts(tasks: NamedTasks): StepNeed[] {
  return [
    ...[...Object.keys(tasks), workflowCall].map((task) => `task ${task}`),
    ...Object.keys(storedStepSchema.shape).map((field) => `field ${field}`),
  ];
}

/**
 * The parts of stored steps that a worker with these tasks does not understand, because a newer one has written them. To
 * ignore a field, such as a condition, would run what must not run.
 */
export function unknownParts(steps: readonly unknown[], tasks: NamedTasks): StepNeed[] {
  const known = new Set(knownParts(tasks));
  const needs = steps.flatMap((step) => {
    const parsed = anyStepSchema.safeParse(step);
    if (!parsed.success) return ['value of uses'];
    const { uses, ...rest } = parsed.data;
    const named = [`task ${uses}`, ...Object.keys(rest).map((field) => `field ${field}`)];
    return [...named.filter((need) => !known.has(need)), ...unreadableValues(parsed.data)];
  });
  return [...new Set(needs)];
}

function unreadableValues(step: Readonly<Record<string, unknown>>): StepNeed[] {
  const { error } = storedStepSchema.safeParse({ ...step, uses: taskNameSchema.options[0] });
  const issues = error?.issues ?? [];
  return issues.flatMap(({ code, path }) => (code === 'unrecognized_keys' && path.length === 0 ? [] : [valueAt(path)]));
}

function valueAt([field]: readonly PropertyKey[]): StepNeed {
  return `value of ${String(field)}`;
}
