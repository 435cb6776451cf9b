import { z } from 'zod';
import { timeZoneSchema } from '../values/time-zone.ts';

const daySchema = z.enum(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']);

const minute = String.raw`[0-5]\d`;

/**
 * A time of the week in which a Scheduled queue starts jobs. From 22:00 to 06:00 is over midnight: it belongs to the day on
 * which it begins.
 */
export const jobQueueSlotSchema = z
  .strictObject({
    days: z
      .array(daySchema)
      .min(1)
      .max(7)
      .default([...daySchema.options])
      .describe('On which it begins; all if absent'),
    from: z.string().regex(new RegExp(`^(?:[01]\\d|2[0-3]):${minute}$`, 'u'), 'must be a time from 00:00 to 23:59'),
    to: z
      .string()
      .regex(new RegExp(`^(?:(?:[01]\\d|2[0-3]):${minute}|24:00)$`, 'u'), 'must be a time from 00:00 to 24:00'),
    timeZone: timeZoneSchema.default('UTC'),
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    error: 'must differ from `from`; a whole day is from 00:00 to 24:00',
  });

/** A time of the week in which a Scheduled queue starts jobs. */
export type JobQueueSlot = z.infer<typeof jobQueueSlotSchema>;
