import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { jobTimeSchema } from './job-filters.ts';

const seconds = (what: string, example: number) => z.number().describe(`${what}, in seconds`).meta({ example });
const at = z.iso.datetime().describe('When it ended').meta({ example: '2026-03-02T08:15:30.410Z' });
const job = z.int().describe('Number of the job').meta({ example: 245 });

const figures = {
  completed: z.int().describe('Runs that were completed').meta({ example: 980 }),
  failed: z.int().describe('Runs that have failed').meta({ example: 3 }),
  aborted: z.int().describe('Jobs that were aborted before they ended').meta({ example: 1 }),
  runTime: z
    .object({ p50: seconds('Median', 0.17), p95: seconds('95th percentile', 1.2), max: seconds('Longest', 3.004) })
    .meta({ id: 'RunTime' })
    .nullable()
    .describe('From the start or the resumption to the end; null if no job has run'),
  waitingTime: z
    .object({ p50: seconds('Median', 0.02), p95: seconds('95th percentile', 0.5) })
    .meta({ id: 'WaitingTime' })
    .nullable()
    .describe('From the submission to the start; null if no job has started'),
  lastRun: z
    .object({
      job,
      at,
      outcome: z.enum(['COMPLETED', 'ERROR', 'ABORTED']).describe('How it ended').meta({ example: 'COMPLETED' }),
    })
    .meta({ id: 'LastRun' }),
  lastFailure: z
    .object({ job, at, message: z.string().describe('Why').meta({ example: "Step 'compress' failed: ..." }) })
    .meta({ id: 'LastFailure' })
    .nullable()
    .describe('Null if none has failed'),
};

const statisticsSchema = z
  .object({
    from: z.iso.datetime().describe('Begin of the range, a whole hour').meta({ example: '2026-03-01T08:00:00.000Z' }),
    to: z.iso.datetime().describe('End of the range, a whole hour').meta({ example: '2026-03-02T09:00:00.000Z' }),
    countedUntil: z.iso
      .datetime()
      .describe('Jobs that ended before are counted')
      .meta({ example: '2026-03-02T08:15:30.410Z' }),
    actions: z
      .array(
        z
          .object({
            contract: z.string().describe('Name of the contract').meta({ example: 'invoices' }),
            action: z.string().describe('Action of the contract').meta({ example: 'compress-on-arrival' }),
            ...figures,
          })
          .meta({ id: 'ActionStatistics' }),
      )
      .describe('Actions with jobs that ended in the range, by contract and name'),
    queues: z
      .array(
        z
          .object({ queue: z.string().describe('Name of the queue').meta({ example: 'Default Queue' }), ...figures })
          .meta({ id: 'QueueStatistics' }),
      )
      .describe('Queues with jobs that ended in the range, by name'),
  })
  .meta({ id: 'JobStatistics' });

/** The figures of a range of time, as the job manager shows them. */
export type JobStatisticsView = z.infer<typeof statisticsSchema>;

const dayMs = 86_400_000;

/** The range begins a day earlier, and is widened to the next hour. */
const ends = { first: new Date('0001-01-02T00:00:00Z'), last: new Date('9999-12-31T23:00:00Z') };

/** The range of time of statistics; the last 24 hours by default. */
export const statisticsRangeSchema = z
  .strictObject({
    from: jobTimeSchema
      .optional()
      .describe('Ended at this time or later; 24 hours before `to` if absent')
      .meta({ example: '2026-03-01T08:00:00Z' }),
    to: jobTimeSchema
      .optional()
      .describe('Ended before this time; now if absent')
      .meta({ example: '2026-03-02T08:15:00Z' }),
  })
  .transform(({ from, to }) => {
    const end = to === undefined ? new Date() : new Date(to);
    return { from: from === undefined ? new Date(end.getTime() - dayMs) : new Date(from), to: end };
  })
  .superRefine(({ from, to }, context) => {
    const refuse = (field: string, message: string) => context.addIssue({ code: 'custom', path: [field], message });
    const { first, last } = ends;
    if (to < first || to > last) {
      refuse('to', `must be between ${first.toISOString()} and ${last.toISOString()}`);
    } else if (from > to) refuse('from', 'is after `to`');
    else if (to.getTime() - from.getTime() > 31 * dayMs) refuse('from', 'is more than 31 days before `to`');
  });

/** Extension of the interface: how jobs went, by action and by queue. */
export const readJobStatisticsEndpoint = defineEndpoint({
  id: 'readJobStatistics',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/statistics',
  summary: 'Show how jobs went, by action and by queue',
  description:
    'Counts of the jobs that ended in a range of time, by outcome, and how long they ran and waited. The range is widened to whole hours. Percentiles are up to a fifth above the exact time.',
  authentication: { kind: 'bearer', permission: 'jobs:read' },
  query: statisticsRangeSchema,
  responses: { 200: { description: 'The figures', body: { kind: 'json', schema: statisticsSchema } } },
  errors: [],
});
