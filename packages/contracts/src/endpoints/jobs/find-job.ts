import { z } from 'zod';
import { itemsAtMost } from '../../configuration/workflow-step.ts';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
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
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  params: jobPathSchema,
  query: z.strictObject({
    itemsFrom: z
      .preprocess(digitsAsNumber, z.int().min(0).max(itemsAtMost))
      .default(0)
      .describe('Number of the first item that is shown of each step with `foreach`, from 0')
      .meta({ example: 1_000 }),
    history: z
      .enum(['all', 'none'])
      .default('all')
      .describe(
        '`none` leaves `history` empty: it can be long, and `GET /job-manager/jobs/:id/history` has it by pages',
      )
      .meta({ example: 'all' }),
  }),
  responses: { 200: { description: 'The job', body: { kind: 'json', schema: jobDetailSchema } } },
  errors: ['job_unknown'],
});
