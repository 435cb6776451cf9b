import { z } from 'zod';

/** The statuses of a job. */
export const jobStatusSchema = z.enum(['SUBMITTED', 'SUSPENDED', 'RUNNING', 'ERROR', 'ABORTED', 'COMPLETED']);

/** What a job can be in. */
export type JobStatus = z.infer<typeof jobStatusSchema>;
