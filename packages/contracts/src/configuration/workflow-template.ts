import { z } from 'zod';
import { configuredNameSchema, descriptionSchema } from '../values/configured-names.ts';
import { workflowStepSchema } from './workflow-step.ts';
import { workflowTestSchema } from './workflow-test.ts';

/** Steps of one section of a workflow. */
export const stepsAtMost = 100;

/** The types of inputs. */
export const inputTypeSchema = z.enum(['text', 'integer', 'boolean', 'list', 'map']);

/** An input of a workflow. The variables of an action or of a submission give its value. */
export const workflowInputSchema = z.strictObject({
  type: inputTypeSchema.default('text').describe('A text such as `5` or `true` is converted if another type is wanted'),
  default: z.json().optional().describe('Its value if no variable gives one; without a default the input is required'),
  description: descriptionSchema.describe('What it means, for people'),
});

/** An input of a workflow. */
export type WorkflowInput = z.infer<typeof workflowInputSchema>;

/** A name that an expression can use after a dot. */
const identifierSchema = z
  .string()
  .max(128)
  .regex(
    /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/u,
    'has letters, digits and underscores, begins with no digit and with one underscore at most',
  );

/** The inputs of a workflow by their names. */
export const workflowInputsSchema = z.record(identifierSchema, workflowInputSchema);

/** An output of a workflow: what a job of it shows, and what a step that runs it gives. */
export const workflowOutputSchema = z.strictObject({
  value: z.json().describe('Its value, any JSON; texts may hold expressions over the steps'),
  type: inputTypeSchema
    .optional()
    .describe('Its type, which the expression must have; if it is absent, that of the expression'),
  description: descriptionSchema.describe('What it means, for people'),
});

/** An output of a workflow. */
export type WorkflowOutput = z.infer<typeof workflowOutputSchema>;

/** The outputs of a workflow by their names. */
export const workflowOutputsSchema = z.record(identifierSchema, workflowOutputSchema);

/**
 * A workflow as data. A changed template becomes a new revision; jobs keep the revision that they were created
 * with.
 */
export const workflowTemplateSchema = z.strictObject({
  name: configuredNameSchema,
  description: descriptionSchema,
  inputs: workflowInputsSchema.optional().describe('Typed inputs; expressions read them as `inputs.<name>`'),
  steps: z.array(workflowStepSchema).min(1).max(stepsAtMost).describe('Run one after the other'),
  onError: z
    .array(workflowStepSchema)
    .max(stepsAtMost)
    .optional()
    .describe('Run after a step has failed for good; the job ends in ERROR all the same'),
  finally: z
    .array(workflowStepSchema)
    .max(stepsAtMost)
    .optional()
    .describe('Run at the end, whether a step has failed or not, but not after an abort'),
  outputs: workflowOutputsSchema
    .optional()
    .describe('What the workflow gives: jobs show it, and a step that runs the workflow has it as `outputs`'),
  tests: z
    .array(workflowTestSchema)
    .max(100)
    .optional()
    .describe('Tests of the workflow, which each change runs; a change of them makes no new revision'),
});

/** A workflow as data. */
export type WorkflowTemplate = z.infer<typeof workflowTemplateSchema>;

/**
 * A step as a revision and a job store it: the steps of all sections in one list. `section` is absent for `steps`. `language` is
 * present if the step has anything that workers without computed expressions misunderstand: they leave a step with a field
 * that they do not know to others. A step that runs another workflow is followed by the steps of that workflow, whose `parent` is
 * its position; `call` has the declarations of that workflow.
 */
export const storedStepSchema = workflowStepSchema.extend({
  section: z.enum(['onError', 'finally']).optional(),
  language: z.literal(2).optional(),
  parent: z.int().min(0).optional(),
  call: z.object({ inputs: workflowInputsSchema, outputs: workflowOutputsSchema }).optional(),
});

/** A step as a revision and a job store it. */
export type StoredStep = z.infer<typeof storedStepSchema>;
