import type { Directory } from '@waybill/directory/directory';
import type { QueueSettings } from '../../domain/queues/queue-settings.ts';
import { whyClosed } from '../../domain/queues/why-closed.ts';

/** The queues of the configuration as the claim of jobs sees them: a Scheduled queue is enabled while one of its slots is open. */
export async function readQueueSettings(
  directory: Pick<Directory, 'listQueues'>,
  now = new Date(),
): Promise<QueueSettings[]> {
  const queues = await directory.listQueues();
  return queues.map((queue) => {
    const { name, priority, parallelism } = queue;
    const closedBecause = whyClosed(queue, now)?.message;
    return {
      name,
      enabled: closedBecause === undefined,
      priority,
      parallelism,
      ...(closedBecause && { closedBecause }),
    };
  });
}
