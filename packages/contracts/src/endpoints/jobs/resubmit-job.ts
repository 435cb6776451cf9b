import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { changeReasonSchema, jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

/**
 * Extension of the interface: run a job again, as a new job. From ABORTED or COMPLETED; with `abort` from RUNNING or
 * ERROR too.
 */
export const resubmitJobEndpoint = defineEndpoint({
  id: 'resubmitJob',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/:id/resubmit',
  summary: 'Resubmit a job',
  description: 'Creates a new job with the same variables and file. The old job keeps its history.',
  authentication: { kind: 'bearer', permission: 'jobs:write', ofActor: true },
  params: jobPathSchema,
  repeatable: { in: 'query', name: 'extIPID' },
  query: z.strictObject({
    abort: z
      .enum(['true', 'false'])
      .default('false')
      .describe('`true` aborts the job first if it is RUNNING or in ERROR')
      .meta({ example: 'true' }),
    reason: changeReasonSchema,
    extIPID: soundTextSchema
      .min(1)
      .max(64)
      .optional()
      .describe('Your identifier of this resubmission; a repetition creates no second job')
      .meta({ example: 'again-4711' }),
    revision: z
      .enum(['same', 'latest'])
      .default('same')
      .describe(
        '`latest` uses the workflow, queue and VFS that the contract names now; `same` uses those of the old job',
      )
      .meta({ example: 'latest' }),
  }),
  responses: {
    201: { description: 'The new job', body: { kind: 'json', schema: jobSchema } },
    409: {
      description: 'The existing job of the same resubmission',
      body: { kind: 'json', schema: jobSchema },
    },
  },
  errors: ['job_unknown', 'job_removed', 'job_transition_refused', 'contract_unknown', 'action_unknown'],
});
