import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

/** Beyond the interface: run a job again, as a new job. From ABORTED or COMPLETED; with `abort` from RUNNING or ERROR too. */
export const resubmitJobEndpoint = defineEndpoint({
  id: 'resubmitJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/:id/resubmit',
  summary: 'Resubmit a job',
  description: 'Makes a new job with the same variables, file and workflow revision. The old job keeps its history.',
  authentication: { kind: 'bearer', resource: 'SPENGCEMANJOBS', access: 'write' },
  params: jobPathSchema,
  query: z.object({
    abort: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true` aborts the job first, when it is RUNNING or in ERROR')
      .meta({ example: 'true' }),
  }),
  responses: { 201: { description: 'The new job', body: { kind: 'json', schema: jobSchema } } },
  errors: ['job_unknown', 'job_transition_refused'],
});
