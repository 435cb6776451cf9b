import { z } from 'zod';
import { jobStatusSchema } from '../../values/job-status.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { jobFilterShape } from './job-filters.ts';
import { changeReasonSchema } from './job-path.ts';

/** What can be done to many jobs at once. */
export const bulkOperations = ['abort', 'resume', 'resubmit', 'abort-and-resubmit'] as const;

const filterSchema = z
  .strictObject(jobFilterShape)
  .refine(
    (filter) => Object.values(filter).some((value) => value !== undefined),
    'names no field: it would be every job',
  )
  .describe('The jobs, as in the list of jobs; at least one field')
  .meta({ id: 'JobFilter', example: { status: 'ERROR', contract: 'invoices' } });

const requestSchema = z
  .strictObject({
    operation: z.enum(bulkOperations).describe('What is done to each job').meta({ example: 'resume' }),
    filter: filterSchema,
    dryRun: z.boolean().describe('`true` changes nothing and tells what would change').meta({ example: true }),
    reason: changeReasonSchema,
    revision: z
      .enum(['same', 'latest'])
      .default('same')
      .describe('Of the workflow, as in the requests for one job; not for `abort`')
      .meta({ example: 'latest' }),
    extIPID: soundTextSchema
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Your identifier of this resubmission. Required to resubmit, so that a repeated request creates no second jobs',
      )
      .meta({ example: 'outage-2026-03-02' }),
    expected: z
      .array(
        z.strictObject({
          id: z.int().positive().describe('Number of the job').meta({ example: 245 }),
          status: jobStatusSchema.describe('Its status at that time'),
        }),
      )
      .min(1)
      .max(1_000)
      .optional()
      .describe(
        'Only these of the jobs that match, as a dry run has shown them: one that does not match any more, or has another status by now, is refused; one that was removed is left out',
      )
      .meta({ example: [{ id: 245, status: 'ERROR' }] }),
    limit: z
      .int()
      .min(1)
      .max(1_000)
      .default(100)
      .describe('Jobs that are looked at; 100 by default')
      .meta({ example: 100 }),
    cursor: z
      .string()
      .max(256)
      .optional()
      .describe('`next` of the last response, with the rest of the request unchanged')
      .meta({ example: 'WzI0NSwzMDBd' }),
  })
  .superRefine(({ operation, dryRun, revision, extIPID }, context) => {
    const refuse = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    const resubmits = operation === 'resubmit' || operation === 'abort-and-resubmit';
    if (resubmits && !dryRun && extIPID === undefined)
      refuse('extIPID', 'is missing: with it the request can be repeated');
    if (!resubmits && extIPID !== undefined) refuse('extIPID', `does not belong to the operation ${operation}`);
    if (operation === 'abort' && revision !== 'same') refuse('revision', 'does not belong to the operation abort');
  })
  .meta({ id: 'BulkChange' });

const resultSchema = z
  .object({
    id: z.int().positive().describe('The job that matches the filter').meta({ example: 245 }),
    statusCode: z
      .int()
      .describe('The HTTP status that the request for this one job has, or would have')
      .meta({ example: 200 }),
    errorCode: z
      .string()
      .optional()
      .describe('The error code, if it is refused')
      .meta({ example: 'job_transition_refused' }),
    message: z.string().describe('What has changed, would change, or why not').meta({ example: 'Resumed by admin' }),
    status: jobStatusSchema.describe('Status of the job afterwards').meta({ example: 'RUNNING' }),
    newId: z.int().positive().optional().describe('The job that the resubmission has created').meta({ example: 301 }),
  })
  .meta({ id: 'BulkResult' });

/** Extension of the interface: abort, resume or resubmit the jobs that match a filter. */
export const changeJobsEndpoint = defineEndpoint({
  id: 'changeJobs',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/jobs/bulk',
  summary: 'Abort, resume or resubmit many jobs',
  description: [
    'Does to each job that matches the filter, by number, what the request for one job does: each in its own transaction, with',
    'its own line in the history and its own audit record. A request looks at no more than `limit` jobs and takes about 20 seconds',
    'at most: as long as the response has `next`, send the request again with it as `cursor`. Jobs that were created after the first',
    'request are left alone. A client that disconnects stops it after the present job.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'jobs:write', ofActor: true },
  query: z.strictObject({}),
  repeatable: { in: 'body', name: 'extIPID' },
  body: { kind: 'json', schema: requestSchema },
  responses: {
    200: {
      description: 'What became of each job',
      body: {
        kind: 'json',
        schema: z
          .object({
            operation: z.enum(bulkOperations).describe('As requested').meta({ example: 'resume' }),
            dryRun: z.boolean().describe('As requested').meta({ example: true }),
            results: z.array(resultSchema).describe('The jobs that were looked at, by number'),
            next: z
              .string()
              .optional()
              .describe('The `cursor` of the next request; absent when all jobs were looked at')
              .meta({ example: 'WzI0NSwzMDBd' }),
          })
          .meta({ id: 'BulkOutcome' }),
      },
    },
  },
  errors: [],
});
