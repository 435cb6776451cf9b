import type { JobId } from '@waybill/contracts/values/job-id';
import type { Directory } from '@waybill/directory/directory';
import type { JobQueue } from '@waybill/directory/job-queue';
import { explainWait, type Wait } from './explain-wait.ts';
import type { QueuePause, QueueStore } from './queue-store.ts';
import { removedMessage, whyClosed } from './why-closed.ts';

/** Why a job waits now; `undefined` if it has ended, or a worker runs it. */
export type FindWait = (id: JobId) => Promise<Wait | undefined>;

/** What finding it needs. */
export interface WaitPorts {
  readonly directory: Pick<Directory, 'listQueues'>;
  readonly store: Pick<QueueStore, 'waitingJob' | 'pauses'>;
}

/** Finds out why jobs wait, from the state of their queues and of the workers at that time. */
export function createFindWait({ directory, store }: WaitPorts): FindWait {
  return async (id) => {
    const job = await store.waitingJob(id);
    if (!job) return undefined;
    const [queues, pauses] = await Promise.all([directory.listQueues(), store.pauses()]);
    const settings = queues.find(({ name }) => name === job.queue);
    const pause = pauses.find(({ queue }) => queue === job.queue);
    const queue = { name: job.queue, running: job.queueRunning, parallelism: settings?.parallelism };
    return explainWait({ ...job, closed: closedNow(settings, pause), queue });
  };
}

function closedNow(settings: JobQueue | undefined, pause: QueuePause | undefined): Wait | undefined {
  if (pause) return { kind: 'queuePaused', message: pause.message };
  if (!settings) return { kind: 'queueRemoved', message: removedMessage };
  return whyClosed(settings, new Date());
}
