import { z } from 'zod';
import { jobStatusSchema } from '../../values/job-status.ts';
import { jobSchema } from './job.ts';

const stepSchema = z.object({
  name: z.string().describe('Name of the step').meta({ example: 'compress' }),
  task: z.string().describe('Task that it uses').meta({ example: 'gzip' }),
  status: z
    .enum(['WAITING', 'RUNNING', 'COMPLETED', 'ERROR'])
    .describe('Status of the step')
    .meta({ example: 'COMPLETED' }),
  attempts: z.int().describe('How often it was started').meta({ example: 1 }),
  outputs: z
    .record(z.string(), z.string())
    .describe('Outputs that later steps can read')
    .meta({ example: { path: '/outbox/invoice.csv.gz' } }),
  error: z.string().describe('The last error; empty if there was none').meta({ example: '' }),
});

const changeSchema = z.object({
  at: z.iso.datetime().describe('When').meta({ example: '2026-03-02T08:15:30.410Z' }),
  from: jobStatusSchema.nullable().describe('Status before; null at the submission').meta({ example: 'RUNNING' }),
  to: jobStatusSchema.describe('Status after').meta({ example: 'COMPLETED' }),
  transition: z.string().describe('Name of the transition').meta({ example: 'complete' }),
  by: z.string().describe('User who requested it, or `platform`').meta({ example: 'platform' }),
  message: z.string().describe('Why').meta({ example: 'All steps are done (1)' }),
});

/** A job with its steps and the history of its status. */
export const jobDetailSchema = jobSchema
  .extend({
    steps: z.array(stepSchema).describe('The started steps, in order'),
    history: z.array(changeSchema).describe('Every change of status, oldest first'),
    resubmissionOf: z
      .int()
      .optional()
      .describe('The job that this one repeats, if it was resubmitted')
      .meta({ example: 244 }),
  })
  .meta({ id: 'JobDetail' });
