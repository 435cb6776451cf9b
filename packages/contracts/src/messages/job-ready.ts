import { z } from 'zod';
import { jobIdSchema } from '../values/job-id.ts';

/** A job is ready for a worker: it was submitted or resumed. */
export const jobReadySchema = z.object({
  jobId: jobIdSchema,
  priority: z.int().min(1).max(10).describe('Of the job queue; 10 goes first'),
});
