import { z } from 'zod';
import { timeZoneSchema } from '../values/time-zone.ts';

/** What happens to the times at which no scheduler ran. */
export const catchUpPolicies = ['none', 'last', 'all'] as const;

/** How many missed times of an action `all` makes up for: the newest. */
export const caughtUpAtMost = 100;

/** Starts an action at the times of a cron expression. The expression itself is checked with the references between entities. */
export const timeTriggerSchema = z.strictObject({
  type: z.literal('Time'),
  cron: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('Minute, hour, day of the month, month and day of the week: 0 6 * * MON-FRI'),
  timeZone: timeZoneSchema.default('UTC').describe('Whose clock the expression means'),
  catchUp: z
    .enum(catchUpPolicies)
    .default('last')
    .describe(`Which missed times are made up for; all: the newest ${caughtUpAtMost}`),
  jitterSeconds: z
    .int()
    .min(0)
    .max(3_600)
    .default(0)
    .describe('Each start is delayed by a random time of at most so many seconds, and never up to the next one'),
});

/** Starts an action at the times of a cron expression. */
export type TimeTrigger = z.infer<typeof timeTriggerSchema>;
