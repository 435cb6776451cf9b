import { z } from 'zod';

/** The number of a job: a positive integer that JavaScript's numbers hold exactly. */
export const jobIdSchema = z.int().positive().brand<'JobId'>();

/** The number of a job. */
export type JobId = z.infer<typeof jobIdSchema>;
