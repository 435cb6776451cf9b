import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { changeReasonSchema, jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

/** Extension of the interface: resume a job. From SUSPENDED or ERROR. */
export const resumeJobEndpoint = defineEndpoint({
  id: 'resumeJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/:id/resume',
  summary: 'Resume a job',
  description: [
    'Continues at the failed step, with all of its attempts again; a suspended job continues even while its queue is disabled.',
    'With `revision=latest` it continues with the newest revision of its workflow template, which must begin with the steps that',
    'are completed, and have at least one more.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'jobs:write', ofActor: true },
  params: jobPathSchema,
  query: z.strictObject({
    reason: changeReasonSchema,
    revision: z
      .enum(['same', 'latest'])
      .default('same')
      .describe('`latest` continues with the newest revision of the workflow template; `same` with that of the job')
      .meta({ example: 'latest' }),
  }),
  responses: { 200: { description: 'The job after the change', body: { kind: 'json', schema: jobSchema } } },
  errors: ['job_unknown', 'job_transition_refused', 'job_revision_refused'],
});
