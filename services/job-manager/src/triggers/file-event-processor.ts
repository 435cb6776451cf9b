import { openDirectory } from '@waybill/directory/open-directory';
import type { EventHandler } from '@waybill/outbox-relay/received-event';
import { createKnexJobRegister } from '../adapters/jobs/knex-job-register.ts';
import type { JobSite } from '../config.ts';
import { startTriggeredJobs } from '../domain/triggers/start-triggered-jobs.ts';
import type { JobManagerEvents } from '../events.ts';
import { countExpectedFiles } from './count-expected-files.ts';

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
    const numbered = received.map(({ id, payload }) => ({ ...payload, id }));
    const expectations = await directory.listExpectations([...new Set(numbered.map(({ vfsId }) => vfsId))]);
    const counted = await countExpectedFiles(transaction, { site, onReady }, { events: numbered, expectations });
    const triggered = [];
    for (const event of numbered) triggered.push(await startTriggeredJobs({ directory, register }, event));
    for (const { started, stopped } of [...counted, ...triggered]) {
      transaction.executionPromise
        .then(() => {
          started.forEach(events.jobSubmitted);
          stopped.forEach(events.chainTooLong);
        })
        .catch(() => {});
    }
  };
}
