import { z } from 'zod';
import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';
import { configuredNameSchema } from '../values/configured-names.ts';
import { freeFormObjectSchema } from '../values/free-form-object.ts';
import { soundTextSchema } from '../values/sound-text.ts';
import { decimalOutput, type TaskSpecification } from './task-specification.ts';

const codes = Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]];

/** `log`. */
export const logSpecification = {
  summary: 'Writes a line into the log of the step, which the job shows. Secrets are masked in it.',
  parameters: z.strictObject({
    message: z.string().min(1).describe('What the line says; what follows the first 1 000 characters is cut'),
    level: z
      .enum(['info', 'warning', 'error'])
      .default('info')
      .describe('`info`, `warning` or `error`; the last two stand in front of the message'),
  }),
  outputs: z.object({ message: z.string().describe('The message') }),
} as const satisfies TaskSpecification;

/** `raise-error`. */
export const raiseErrorSpecification = {
  summary:
    'Fails, with a message: if a check finds something wrong, for example. `retry`, `continueOnError`, `onError` and `finally` apply as to any failure.',
  parameters: z.strictObject({
    message: z.string().min(1).max(1_000).describe('Why; the job shows it'),
    code: z
      .enum(codes)
      .default('job_step_failed')
      .describe(
        'An error code, which `on` of `retry` compares; some, such as `validation_failed`, are not tried again',
      ),
  }),
  outputs: z.object({}),
} as const satisfies TaskSpecification;

/** `submit-job`. */
export const submitJobSpecification = {
  summary:
    'Submits a job of an OnDemand action of the same actor, and does not wait for it. However often the step is tried, there is one job.',
  parameters: z.strictObject({
    contract: configuredNameSchema.describe('Contract of the actor of this job'),
    action: configuredNameSchema.describe('Action of the contract; its trigger is OnDemand'),
    variables: freeFormObjectSchema
      .default({})
      .describe('Map of variables of the workflow; they take precedence over those of the action'),
    extIPID: soundTextSchema
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Your identifier of the submission: all steps and requests with it, the same user, contract and action submit one job together',
      ),
  }),
  outputs: z.object({ jobId: decimalOutput.describe('The number of the job') }),
} as const satisfies TaskSpecification;
