import type { Directory } from '@waybill/directory/directory';
import type { JobQueue } from '@waybill/directory/job-queue';
import { isOpen, nextOpening } from '@waybill/schedule/slots';
import type { QueueSettings } from '../../domain/jobs/job-ledger.ts';

/** The queues of the configuration as the claim of jobs sees them: a Scheduled queue is enabled while one of its slots is open. */
export async function readQueueSettings(
  directory: Pick<Directory, 'listQueues'>,
  now = new Date(),
): Promise<QueueSettings[]> {
  const queues = await directory.listQueues();
  return queues.map((queue) => {
    const { name, priority, parallelism } = queue;
    const closedBecause = reasonToWait(queue, now);
    return {
      name,
      enabled: closedBecause === undefined,
      priority,
      parallelism,
      ...(closedBecause && { closedBecause }),
    };
  });
}

function reasonToWait({ status, slots }: JobQueue, at: Date): string | undefined {
  if (status === 'Disabled') return 'The queue is disabled';
  if (status === 'Enabled' || isOpen(slots, at)) return undefined;
  const opening = nextOpening(slots, at);
  return `The queue is out of hours${opening ? `; it opens at ${opening.shown}` : ''}`;
}
