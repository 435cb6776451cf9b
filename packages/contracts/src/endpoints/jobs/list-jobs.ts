import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { jobStatusSchema } from '../../values/job-status.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { userNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { jobTimeSchema as time, plusRestored } from './job-time.ts';
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

const notWhole = 'is not a whole number';
const long = z.preprocess(digitsAsNumber, z.int({ error: notWhole }).positive());

const listQuerySchema = z.strictObject({
  maxItems: z
    .preprocess(digitsAsNumber, z.int({ error: notWhole }).min(1).max(1_000))
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
  id: long.optional().describe('Number of the job').meta({ example: 245 }),
  status: jobStatusSchema.optional().describe('Status of the job').meta({ example: 'RUNNING' }),
  queue: soundTextSchema.optional().describe('Queue').meta({ example: 'Default Queue' }),
  contract: soundTextSchema.optional().describe('Name of the contract').meta({ example: 'invoices' }),
  workflowTemplateId: long.optional().describe('Number of the workflow template').meta({ example: 1 }),
  workflowTemplateName: soundTextSchema.optional().describe('Workflow template').meta({ example: 'compress-file' }),
  workflowTemplateRevision: long.optional().describe('Revision of the template').meta({ example: 3 }),
  createdAtFrom: time
    .optional()
    .describe('Submitted at this time or later')
    .meta({ example: '2026-03-02T00:00:00+01:00' }),
  createdAtTo: time
    .optional()
    .describe('Submitted at this time or earlier')
    .meta({ example: '2026-03-02T23:59:59+01:00' }),
  updatedAtFrom: time.optional().describe('Changed at this time or later').meta({ example: '2026-03-02T00:00:00Z' }),
  updatedAtTo: time.optional().describe('Changed at this time or earlier').meta({ example: '2026-03-02T23:59:59Z' }),
  extIPID: soundTextSchema
    .max(64)
    .optional()
    .describe('External idempotency identifier')
    .meta({ example: 'order-4711' }),
  submittedBy: userNameSchema.optional().describe('Submitter').meta({ example: 'admin' }),
  dfiid: soundTextSchema
    .optional()
    .describe('Dataflow instance')
    .meta({ example: '0197a2c4-6f3b-7c1e-9d52-2f6e0c9b1a77' }),
  lcid: soundTextSchema
    .optional()
    .describe('Log correlation id')
    .meta({ example: 'd90fef7b-1517-4ad6-b836-18b6b4645be7:0' }),
  actor: soundTextSchema.optional().describe('Actor').meta({ example: 'acme' }),
  contractAction: soundTextSchema.optional().describe('Action').meta({ example: 'write-report' }),
  contractType: soundTextSchema.optional().describe('Type of the contract').meta({ example: 'Mediation' }),
  contractActionTrigger: soundTextSchema.optional().describe('Trigger').meta({ example: 'OnDemand' }),
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
  description: 'Lists the jobs that match all filters exactly, one page at a time.',
  authentication: { kind: 'bearer', resource: 'SPENGCEMANJOBS', access: 'read' },
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
