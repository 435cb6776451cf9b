import { openDirectory } from '@waybill/directory/open-directory';
import type { EventHandler } from '@waybill/outbox-relay/received-event';
import { createKnexJobRegister } from '../adapters/jobs/knex-job-register.ts';
import type { JobSite } from '../config.ts';
import { startTriggeredJobs } from '../domain/triggers/start-triggered-jobs.ts';
import type { JobManagerEvents } from '../events.ts';

/** Where started jobs are reported, and how workers are told of them. */
export interface ProcessorParts {
  readonly events: JobManagerEvents;
  readonly site: JobSite;
  readonly onReady: () => void;
}

/**
 * Starts the jobs that file events ask for, in the transaction that also removes the events: each counts exactly once. Which
 * actions there are is asked by each transaction: a contract that was applied before an event was written is seen. Jobs
 * are reported when they are committed.
 */
export function createFileEventProcessor({ events, site, onReady }: ProcessorParts): EventHandler<'file-event'> {
  return async (transaction, received) => {
    const directory = openDirectory({ db: transaction });
    const register = createKnexJobRegister(transaction, { site, onReady });
    for (const { id, payload } of received) {
      const { started, stopped } = await startTriggeredJobs({ directory, register }, { ...payload, id });
      transaction.executionPromise
        .then(() => {
          started.forEach(events.jobSubmitted);
          stopped.forEach(events.chainTooLong);
        })
        .catch(() => {});
    }
  };
}
