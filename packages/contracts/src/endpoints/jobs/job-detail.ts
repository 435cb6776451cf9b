import { z } from 'zod';
import { jobStatusSchema } from '../../values/job-status.ts';
import { jobSchema } from './job.ts';

const stepSchema = z.object({
  name: z.string().describe('Name of the step').meta({ example: 'compress' }),
  task: z.string().describe('Task that it uses').meta({ example: 'gzip' }),
  status: z
    .enum(['WAITING', 'RUNNING', 'COMPLETED', 'ERROR'])
    .describe('Where the step stands')
    .meta({ example: 'COMPLETED' }),
  attempts: z.int().describe('How often it was begun').meta({ example: 1 }),
  outputs: z
    .record(z.string(), z.string())
    .describe('What later steps can read')
    .meta({ example: { path: '/outbox/invoice.csv.gz' } }),
  error: z.string().describe('Why it last failed; empty when it did not').meta({ example: '' }),
});

const changeSchema = z.object({
  at: z.iso.datetime().describe('When').meta({ example: '2026-03-02T08:15:30.410Z' }),
  from: jobStatusSchema.nullable().describe('Status before; null at the submission').meta({ example: 'RUNNING' }),
  to: jobStatusSchema.describe('Status after').meta({ example: 'COMPLETED' }),
  transition: z.string().describe('Name of the transition').meta({ example: 'complete' }),
  by: z.string().describe('User who asked for it; `platform` otherwise').meta({ example: 'platform' }),
  message: z.string().describe('Why').meta({ example: 'All steps are done (1)' }),
});

/** A job with its steps and the history of its status. */
export const jobDetailSchema = jobSchema
  .extend({
    steps: z.array(stepSchema).describe('The steps that were begun, in order'),
    history: z.array(changeSchema).describe('Every change of status, oldest first'),
    resubmissionOf: z
      .int()
      .optional()
      .describe('The job that this one repeats, when it was resubmitted')
      .meta({ example: 244 }),
  })
  .meta({ id: 'JobDetail' });
