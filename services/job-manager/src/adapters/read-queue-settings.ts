import type { Directory } from '@waybill/directory/directory';
import type { QueueSettings } from '../domain/queue-settings.ts';

/** The queues of the configuration as the claim of jobs sees them. */
export async function readQueueSettings(directory: Pick<Directory, 'listQueues'>): Promise<QueueSettings[]> {
  const queues = await directory.listQueues();
  return queues.map(({ name, status, priority, parallelism }) => ({
    name,
    enabled: status === 'Enabled',
    priority,
    parallelism,
    ...(status !== 'Enabled' && { closedBecause: 'The queue is disabled' }),
  }));
}
