import type { Directory } from '@waybill/directory/directory';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import { createFindWait, type FindWait } from '../../domain/queues/find-wait.ts';
import { createQueues, type Queues } from '../../domain/queues/manage-queues.ts';
import { followQueues, restateReason } from './follow-queues.ts';
import { createKnexQueueStore } from './knex-queue-store.ts';
import { readQueueSettings } from './read-queue-settings.ts';

/** What managing queues needs. */
export interface QueueParts {
  readonly db: Database;
  readonly directory: Directory;
  readonly site: JobSite;
  /** Tells the workers that a job may be ready. */
  announce(): void;
}

/** The queues of this platform. A pause and its end take effect on the jobs at once, and not when a scheduler finds them. */
export function openQueues({ db, directory, site, announce }: QueueParts): { queues: Queues; findWait: FindWait } {
  const store = createKnexQueueStore(db, site);
  const onChange = async (name: string): Promise<void> => {
    const settings = await readQueueSettings(directory);
    await followQueues(db, settings);
    announce();
    await restateReason(db, name, settings.find((queue) => queue.name === name)?.closedBecause);
  };
  return { queues: createQueues({ directory, store, onChange }), findWait: createFindWait({ directory, store }) };
}
