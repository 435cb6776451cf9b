import { z } from 'zod';
import {
  configuredNameSchema,
  configuredPathSchema,
  descriptionSchema,
  filePatternSchema,
  plainNameSchema,
} from '../values/configured-names.ts';
import { timeZoneSchema } from '../values/time-zone.ts';

/** What an expectation raises. */
export const expectationOutcomes = ['missed', 'late', 'unexpected', 'met'] as const;

/** What an expectation raises. */
export type ExpectationOutcome = (typeof expectationOutcomes)[number];

const filesAtMost = 1_000_000;

const countSchema = z
  .strictObject({
    min: z.int().min(1).max(filesAtMost).default(1).describe('The due time is met by so many files'),
    max: z.int().min(1).max(filesAtMost).optional().describe('More files than these are unexpected'),
  })
  .refine(({ min, max }) => max === undefined || max >= min, { path: ['max'], error: 'must not be less than min' })
  .prefault({});

/** Files that are due at the times of a cron expression. The expression itself is checked with the references between entities. */
export const expectationSchema = z.strictObject({
  name: configuredNameSchema,
  description: descriptionSchema,
  vfs: plainNameSchema,
  virtualPath: configuredPathSchema,
  filePattern: filePatternSchema,
  cron: z.string().trim().min(1).max(256).describe('When files are due: 0 6 * * MON-FRI'),
  timeZone: timeZoneSchema.default('UTC').describe('Whose clock the expression means'),
  graceMinutes: z.int().min(0).max(10_080).default(0).describe('How long after the due time a file is in time'),
  count: countSchema,
  windowMinutes: z
    .int()
    .min(1)
    .max(527_040)
    .optional()
    .describe(
      'From when before the due time a file counts for it; an earlier one is late for the time before, or unexpected',
    ),
});

/** Files that are due at the times of a cron expression. */
export type Expectation = z.infer<typeof expectationSchema>;

/** Starts an action by what comes of an expectation of the same contract. */
export const expectationTriggerSchema = z.strictObject({
  type: z.literal('Expectation'),
  expectation: configuredNameSchema.describe('An expectation of the same contract'),
  on: z
    .array(z.enum(expectationOutcomes))
    .min(1)
    .max(expectationOutcomes.length)
    .refine((outcomes) => new Set(outcomes).size === outcomes.length, 'names an outcome twice')
    .describe('Which outcomes start the action'),
});

/** The variables that jobs of an expectation have besides those of the action. */
export const expectationVariables = ['expectation', 'expectationOutcome', 'dueAt', 'fileCount'] as const;
