import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { changeReasonSchema, jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

/** Beyond the interface: resume a job. From SUSPENDED or ERROR. */
export const resumeJobEndpoint = defineEndpoint({
  id: 'resumeJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/:id/resume',
  summary: 'Resume a job',
  description:
    'Goes on at the step that failed, with all its tries again; a suspended job goes on even while its queue is disabled.',
  authentication: { kind: 'bearer', resource: 'SPENGCEMANJOBS', access: 'write' },
  params: jobPathSchema,
  query: z.object({ reason: changeReasonSchema }),
  responses: { 200: { description: 'The job as it stands now', body: { kind: 'json', schema: jobSchema } } },
  errors: ['job_unknown', 'job_transition_refused'],
});
