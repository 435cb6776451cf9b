import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { defineEndpoint } from '../endpoint.ts';
import { jobFilterShape, plusRestored } from './job-filters.ts';
import { jobSchema } from './job.ts';

/** The fields that jobs can be listed by. */
export const jobSortFields = [
  'id',
  'status',
  'queue',
  'contract',
  'workflowTemplateId',
  'workflowTemplateName',
  'workflowTemplateRevision',
  'submittedBy',
  'createdAt',
  'updatedAt',
] as const;

const listQuerySchema = z.strictObject({
  maxItems: z
    .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
    .default(100)
    .describe('Jobs on one page; 100 by default')
    .meta({ example: 100 }),
  sort: z
    .preprocess(
      plusRestored,
      z.string().regex(new RegExp(`^[+-]?(?:${jobSortFields.join('|')})$`, 'u'), {
        error: `is not "+" or "-" and one of ${jobSortFields.join(', ')}`,
      }),
    )
    .default('-id')
    .describe('`+field` ascending, `-field` descending; `-id` by default')
    .meta({ example: '-createdAt' }),
  ...jobFilterShape,
  cursor: z
    .string()
    .max(2_048)
    .optional()
    .describe('Start of the page; part of a `next` link, opaque to callers')
    .meta({ example: 'WyIyNDUiLDI0NV0' }),
});

/** The filters and the order of a list of jobs. */
export type JobListQuery = z.infer<typeof listQuerySchema>;

/** B2: list jobs. */
export const listJobsEndpoint = defineEndpoint({
  id: 'listJobs',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/jobs',
  summary: 'List jobs',
  description:
    'Lists the jobs that match all filters, one page at a time. Those that end in `Part` match a part of a name, which no more than 50 names may have; all others match exactly.',
  authentication: { kind: 'bearer', permission: 'jobs:read', ofActor: true },
  query: listQuerySchema,
  responses: {
    200: {
      description: 'A page of jobs',
      body: {
        kind: 'json',
        schema: z
          .object({
            jobs: z.array(jobSchema).describe('The jobs of this page'),
            next: z
              .string()
              .optional()
              .describe('Link to the next page, from the context path; absent on the last page')
              .meta({ example: '/job-manager/jobs?maxItems=100&sort=-id&cursor=WzE0NV0' }),
          })
          .meta({ id: 'JobList' }),
      },
    },
  },
  errors: [],
});
