import type { Queryable } from '@waybill/postgres/database';
import type { JobQueue } from '../job-queue.ts';
import { queryRows } from './query-rows.ts';

/** All job queues, by name. */
export async function findQueues(on: Queryable): Promise<JobQueue[]> {
  return queryRows<JobQueue>(
    on,
    'SELECT id, name, status, slots, priority, parallelism FROM directory.job_queues ORDER BY name',
  );
}
