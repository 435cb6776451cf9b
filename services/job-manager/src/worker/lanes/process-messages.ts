import { jobIdSchema } from '@waybill/contracts/values/job-id';
import { metricChangeSchema } from '@waybill/service-kit/telemetry/metrics';
import { z } from 'zod';
import { reportedConnectionSchema } from '../../adapters/connections/connection-reports.ts';

/** What the process of one job is told on its command line, as JSON. */
export const processOrderSchema = z.object({
  jobId: jobIdSchema,
  fence: z.string(),
  begunBefore: z.boolean(),
  owner: z.string(),
});

/** What the worker tells it while it runs. */
export const processInterruptSchema = z.object({ interrupt: z.enum(['lost', 'stopping']) });

/** What it tells the worker: how long the step may take that it begins, what it has counted, or how its client connections do. */
export const processReportSchema = z.union([
  z.object({ timeoutSeconds: z.number() }),
  z.object({ counted: metricChangeSchema }),
  z.object({ connections: z.array(reportedConnectionSchema) }),
]);

/** Processes at a time: each has connections to PostgreSQL, which are declared for so many. */
export const processesAtMost = 2;

/** The connections of each. */
export const processPoolSize = 2;
