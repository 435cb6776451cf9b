import { defineEndpoint } from '../endpoint.ts';
import { jobDetailSchema } from './job-detail.ts';
import { jobPathSchema } from './job-path.ts';

/** Extension of the interface: one job with its steps and its history. */
export const findJobEndpoint = defineEndpoint({
  id: 'findJob',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/jobs/:id',
  summary: 'Show a job with its steps and its history',
  authentication: { kind: 'bearer', resource: 'SPENGCEMANJOBS', access: 'read' },
  params: jobPathSchema,
  responses: { 200: { description: 'The job', body: { kind: 'json', schema: jobDetailSchema } } },
  errors: ['job_unknown'],
});
