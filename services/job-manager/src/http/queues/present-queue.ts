import type { QueueView } from '@waybill/contracts/endpoints/queues/queue';
import type { QueueState } from '../../domain/queues/manage-queues.ts';

/** A queue in the form of the interface. */
export function presentQueue({ name, settings, pause, open, opensAt, closesAt, depth }: QueueState): QueueView {
  const { oldestWaiting, waiting, suspended, running } = depth;
  return {
    name,
    state: pause ? 'Paused' : (settings?.status ?? 'Removed'),
    configuredStatus: settings?.status ?? null,
    open,
    opensAt: opensAt?.toISOString() ?? null,
    closesAt: closesAt?.toISOString() ?? null,
    pause: pause ? { by: pause.by, since: pause.at.toISOString(), reason: pause.reason } : null,
    priority: settings?.priority ?? null,
    parallelism: settings?.parallelism ?? null,
    jobs: { waiting, suspended, running },
    oldestWaiting: oldestWaiting ? { id: oldestWaiting.id, since: oldestWaiting.since.toISOString() } : null,
  };
}
