import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { changeSchema } from './job-detail.ts';
import { jobPathSchema } from './job-path.ts';

const numberedChangeSchema = changeSchema
  .extend({ id: z.int().min(1).describe('Number of the change; later changes of the job have larger ones') })
  .meta({ id: 'JobChange' });

/** A change of a job's status with its number. */
export type NumberedChangeView = z.infer<typeof numberedChangeSchema>;

/** Extension of the interface: the history of one job, page by page. */
export const listJobHistoryEndpoint = defineEndpoint({
  id: 'listJobHistory',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/jobs/:id/history',
  summary: 'List the history of a job',
  description:
    'Lists the changes of the status of a job, one page at a time. Changes that are made meanwhile move no page: each page begins ' +
    'where the page before it has ended.',
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  params: jobPathSchema,
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
      .default(100)
      .describe('Changes on one page; 100 by default')
      .meta({ example: 100 }),
    order: z.enum(['newest', 'oldest']).default('newest').describe('What comes first').meta({ example: 'newest' }),
    cursor: z
      .preprocess(digitsAsNumber, wholeNumber.min(1))
      .optional()
      .describe('Start of the page; part of a `next` link')
      .meta({ example: 4_711 }),
  }),
  responses: {
    200: {
      description: 'A page of the history',
      body: {
        kind: 'json',
        schema: z
          .object({
            history: z.array(numberedChangeSchema).describe('The changes of this page'),
            next: z
              .string()
              .optional()
              .describe('Link to the next page, from the context path; absent on the last page')
              .meta({ example: '/job-manager/jobs/245/history?maxItems=100&order=newest&cursor=4711' }),
          })
          .meta({ id: 'JobHistory' }),
      },
    },
  },
  errors: ['job_unknown'],
});
