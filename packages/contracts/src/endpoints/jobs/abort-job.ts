import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { changeReasonSchema, jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

/** Extension of the interface: abort a job. From SUBMITTED, SUSPENDED, RUNNING or ERROR. */
export const abortJobEndpoint = defineEndpoint({
  id: 'abortJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/:id/abort',
  summary: 'Abort a job',
  description: 'Stops a job that has not ended; a running step is interrupted.',
  authentication: { kind: 'bearer', permission: 'jobs:write', ofActor: true },
  params: jobPathSchema,
  query: z.strictObject({ reason: changeReasonSchema }),
  responses: { 200: { description: 'The job after the change', body: { kind: 'json', schema: jobSchema } } },
  errors: ['job_unknown', 'job_transition_refused'],
});
