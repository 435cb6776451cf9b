import { z } from 'zod';
import { errorCodes, type ErrorCode } from '../errors/error-codes.ts';
import { taskSpecifications } from '../tasks/task-specifications.ts';
import { configuredNameSchema } from '../values/configured-names.ts';
import { freeFormObjectSchema } from '../values/free-form-object.ts';
import { soundTextSchema } from '../values/sound-text.ts';

type NamedTask = keyof typeof taskSpecifications;

/** The tasks that a step can use. */
export const taskNameSchema = z.enum(Object.keys(taskSpecifications) as [NamedTask, ...NamedTask[]]);

/** The name of a task. */
export type TaskName = z.infer<typeof taskNameSchema>;

/** What a step has in the place of a task if it runs another workflow. */
export const workflowCall = 'workflow';

const stepTaskSchema = z.enum([...taskNameSchema.options, workflowCall]);

const maxExpressionLength = 4_096;

/** A CEL expression, with or without `${{ }}` around it. */
export const expressionSchema = soundTextSchema.min(1).max(maxExpressionLength);

/** Items of one step. */
export const itemsAtMost = 10_000;

const itemsSchema = z.union([z.array(z.json()).max(itemsAtMost), expressionSchema]);

/** Runs a step once for each item of a list. */
export const foreachSchema = z.union([
  itemsSchema,
  z.strictObject({
    in: itemsSchema.describe('The list, or an expression that gives one; at most 10 000 items'),
    parallelism: z.int().min(1).max(16).optional().describe('Items that run at the same time; 1 if it is absent'),
    continueOnError: z
      .boolean()
      .optional()
      .describe('The other items run after one has failed for good; the step fails when all have ended'),
  }),
]);

const errorCodeSchema = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

const retrySchema = z.strictObject({
  attempts: z.int().min(1).max(100).describe('How often the step is tried, the first time included'),
  delaySeconds: z.int().min(0).max(86_400).default(0).describe('Pause before the second attempt'),
  backoff: z
    .number()
    .min(1)
    .max(10)
    .optional()
    .describe('Factor by which each pause is longer than the one before; 1 if it is absent'),
  maxDelaySeconds: z.int().min(1).max(86_400).optional().describe('The longest pause; a day if it is absent'),
  jitter: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Part of each pause that is random: 0.2 makes a pause of 10 s last 8 to 12 s; 0 if it is absent'),
  on: z
    .array(errorCodeSchema)
    .min(1)
    .max(100)
    .optional()
    .describe('Error codes after which the step is tried again; any that can succeed later if it is absent'),
});

/** One step: a task, or another workflow, and its parameters, which may hold `${{ }}` expressions. */
export const workflowStepSchema = z.strictObject({
  name: configuredNameSchema.describe('Unique in the workflow; later steps refer to it'),
  uses: stepTaskSchema.default(workflowCall).describe('The task; it is left out if the step runs another `workflow`'),
  workflow: configuredNameSchema
    .optional()
    .describe('Another workflow template, whose steps run; `with` gives its inputs'),
  if: z
    .union([z.boolean(), expressionSchema])
    .optional()
    .describe('The step is skipped unless this expression is true'),
  foreach: foreachSchema
    .optional()
    .describe(
      'The step runs once for each item of this list; expressions read it as `item`, its number from 0 as `index`',
    ),
  with: freeFormObjectSchema
    .default({})
    .describe('Parameters of the task or inputs of the workflow, any JSON; texts may hold expressions'),
  retry: retrySchema.default({ attempts: 1, delaySeconds: 0 }),
  timeoutSeconds: z.int().min(1).max(86_400).default(3_600).describe('The longest time of one attempt'),
  continueOnError: z
    .boolean()
    .optional()
    .describe('If the step fails for good, the workflow goes on, and `steps.<name>.status` is `FAILED`'),
});
