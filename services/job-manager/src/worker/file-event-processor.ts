import { openDirectory } from '@waybill/directory/open-directory';
import type { EventHandler } from '@waybill/outbox-relay/received-event';
import { createKnexJobRegister } from '../adapters/knex-job-register.ts';
import { startTriggeredJobs } from '../domain/start-triggered-jobs.ts';
import type { JobManagerEvents } from '../events.ts';

/**
 * Starts the jobs that file events ask for, in the transaction that also removes the events: each counts exactly once. Which
 * actions there are is asked by each transaction: a contract that was applied before an event was written is seen.
 */
export function createFileEventProcessor({ events }: { events: JobManagerEvents }): EventHandler<'file-event'> {
  return async (transaction, received) => {
    const directory = openDirectory({ db: transaction });
    const register = createKnexJobRegister(transaction);
    for (const { id, payload } of received) {
      const { started, stopped } = await startTriggeredJobs({ directory, register }, { ...payload, id });
      started.forEach(events.jobSubmitted);
      stopped.forEach(events.chainTooLong);
    }
  };
}
