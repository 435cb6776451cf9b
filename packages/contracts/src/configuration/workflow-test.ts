import { z } from 'zod';
import { configuredNameSchema, configuredPathSchema } from '../values/configured-names.ts';
import { freeFormObjectSchema } from '../values/free-form-object.ts';
import { soundTextSchema } from '../values/sound-text.ts';
import { itemsAtMost } from './workflow-step.ts';

const endStubSchema = z.strictObject({
  outputs: freeFormObjectSchema.optional().describe('Outputs of the step; those that are absent have a placeholder'),
  error: soundTextSchema.max(1_000).optional().describe('The step fails for good, with this message'),
});

/** What a step does in a test, in the place of its task. */
export const stepStubSchema = endStubSchema.extend({
  items: z
    .array(endStubSchema)
    .max(itemsAtMost)
    .optional()
    .describe('The same of each item of a `foreach`, in order; the others do what the step does'),
});

/** What a step does in a test, in the place of its task. */
export type StepStub = z.infer<typeof stepStubSchema>;

const givenSchema = z.strictObject({
  file: configuredPathSchema.optional().describe('Path of the file that starts the job; absent: there is none'),
  size: z.int().min(0).default(1_024).describe('Its bytes'),
  variables: freeFormObjectSchema.default({}).describe('The variables of the job'),
  now: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The time of the run; 2026-01-01T00:00:00Z if it is absent'),
  steps: z.record(z.string(), stepStubSchema).default({}).describe('What steps give, by their names'),
});

/** What a run is given. */
export type GivenRun = z.infer<typeof givenSchema>;

const expectedItemSchema = z.strictObject({
  status: z.enum(['COMPLETED', 'FAILED']).optional().describe('Status of the item'),
  with: freeFormObjectSchema.optional().describe('Evaluated parameters; those that are absent are not compared'),
});

const expectedStepSchema = z.strictObject({
  status: z.enum(['COMPLETED', 'FAILED', 'SKIPPED', 'WAITING']).optional().describe('`WAITING`: it does not run'),
  with: freeFormObjectSchema.optional().describe('Evaluated parameters; those that are absent are not compared'),
  items: z
    .array(expectedItemSchema)
    .max(itemsAtMost)
    .optional()
    .describe('All items of a `foreach`, in order; those that do not run are left out'),
});

/** A test of a workflow: what a run is given, and what is expected of it. Only tasks that touch nothing run. */
export const workflowTestSchema = z.strictObject({
  name: configuredNameSchema.describe('Unique in the workflow'),
  given: givenSchema,
  expect: z.strictObject({
    status: z.enum(['COMPLETED', 'ERROR']).default('COMPLETED').describe('How the job ends'),
    message: soundTextSchema.optional().describe('A part of the message of the failure'),
    outputs: freeFormObjectSchema
      .optional()
      .describe('Outputs of the workflow; those that are absent are not compared'),
    steps: z.record(z.string(), expectedStepSchema).default({}).describe('What becomes of steps, by their names'),
  }),
});

/** A test of a workflow. */
export type WorkflowTest = z.infer<typeof workflowTestSchema>;
