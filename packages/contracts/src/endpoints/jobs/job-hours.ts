import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { statisticsRangeSchema } from './job-statistics.ts';

const seconds = (what: string, example: number) => z.number().describe(`${what}, in seconds`).meta({ example });
const count = (what: string, example: number) => z.int().describe(what).meta({ example });

const hourSchema = z
  .object({
    hour: z.iso.datetime().describe('Begin of the hour').meta({ example: '2026-03-01T08:00:00.000Z' }),
    completed: count('Runs that were completed', 40),
    failed: count('Runs that have failed', 1),
    aborted: count('Jobs that were aborted before they ended', 0),
    runTime: z
      .object({ p50: seconds('Median', 0.17), p95: seconds('95th percentile', 1.2) })
      .meta({ id: 'RunTimeOfHour' })
      .nullable()
      .describe('From the start or the resumption to the end; null if no job has run'),
  })
  .meta({ id: 'JobHour' });

const hoursSchema = z
  .object({
    from: z.iso.datetime().describe('Begin of the range, a whole hour').meta({ example: '2026-03-01T08:00:00.000Z' }),
    to: z.iso.datetime().describe('End of the range, a whole hour').meta({ example: '2026-03-02T09:00:00.000Z' }),
    countedUntil: z.iso
      .datetime()
      .describe('Jobs that ended before are counted')
      .meta({ example: '2026-03-02T08:15:30.410Z' }),
    hours: z.array(hourSchema).describe('The hours in which jobs ended, in their order'),
  })
  .meta({ id: 'JobHours' });

/** Extension of the interface: how jobs went over time, for charts. */
export const readJobHoursEndpoint = defineEndpoint({
  id: 'readJobHours',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/statistics/hours',
  summary: 'Show how jobs went, by hour',
  description:
    'Counts of the jobs that ended in each hour of a range of time, by outcome, and how long they ran. The range is widened to whole hours. It is read from counts that are kept by hour, whatever the number of jobs. Percentiles are up to a fifth above the exact time.',
  authentication: { kind: 'bearer', permission: 'jobs:read' },
  query: statisticsRangeSchema,
  responses: { 200: { description: 'The figures', body: { kind: 'json', schema: hoursSchema } } },
  errors: [],
});
