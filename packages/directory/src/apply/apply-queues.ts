import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { queuesOf } from '../job-queue.ts';
import { reconcileEntities, type Reconciliation } from './reconcile-entities.ts';

/** Applies job queues, including the default one. */
export async function applyQueues(trx: Transaction, configuration: PlatformConfiguration): Promise<Reconciliation> {
  return reconcileEntities(
    trx,
    { entityType: 'Job Queue', table: 'job_queues' },
    queuesOf(configuration).map(({ name, status, slots, priority, parallelism }) => ({
      name,
      definition: { name, status, ...(slots ? { slots } : {}), priority, parallelism },
      columns: { status, slots: JSON.stringify(slots ?? []), priority, parallelism },
    })),
  );
}
