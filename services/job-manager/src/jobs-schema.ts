import type { OwnedSchema } from '@waybill/postgres/migrate';
import { jobs } from './migrations/0001-jobs.ts';
import { activeJobs } from './migrations/0002-active-jobs.ts';
import { schedules } from './migrations/0003-schedules.ts';
import { jobPartitions } from './migrations/0004-job-partitions.ts';
import { batchedEngine } from './migrations/0005-batched-engine.ts';
import { stepDetails } from './migrations/0007-step-details.ts';
import { queuePauses } from './migrations/0008-queue-pauses.ts';
import { runStatistics } from './migrations/0008-run-statistics.ts';
import { workers } from './migrations/0008-workers.ts';
import { leftJobs } from './migrations/0009-left-jobs.ts';
import { historyOrder } from './migrations/0010-history-order.ts';
import { cheaperJobs } from './migrations/0011-cheaper-jobs.ts';
import { stepOutcomes } from './migrations/0012-step-outcomes.ts';
import { waitingJobs } from './migrations/0013-waiting-jobs.ts';
import { expectations } from './migrations/0016-expectations.ts';
import { webhookDeliveries } from './migrations/0018-webhook-deliveries.ts';
import { webhookReplays } from './migrations/0022-webhook-replays.ts';
import { actorsOfExpectations } from './migrations/0023-actors-of-expectations.ts';
import { actorsOfJobs } from './migrations/0024-actors-of-jobs.ts';
import { queuesOfPauses } from './migrations/0025-queues-of-pauses.ts';
import { reasonsOfDeliveries } from './migrations/0026-reasons-of-deliveries.ts';

/** The schema of jobs. */
export const jobsSchema: OwnedSchema = {
  schema: 'jobs',
  migrations: [
    jobs,
    activeJobs,
    schedules,
    jobPartitions,
    batchedEngine,
    stepDetails,
    queuePauses,
    runStatistics,
    workers,
    leftJobs,
    historyOrder,
    cheaperJobs,
    stepOutcomes,
    waitingJobs,
    expectations,
    webhookDeliveries,
    webhookReplays,
    actorsOfExpectations,
    actorsOfJobs,
    queuesOfPauses,
    reasonsOfDeliveries,
  ],
};
