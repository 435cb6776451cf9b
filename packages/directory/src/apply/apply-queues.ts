import { builtInSource, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { defaultQueue } from '../job-queue.ts';
import { type Applying, reconcileEntities, type Reconciliation, type WantedEntity } from './reconcile-entities.ts';

const kind = { entityType: 'Job Queue', table: 'job_queues' } as const;

/** Applies job queues. The default queue always exists: while no owner describes it, it belongs to the platform itself. */
export async function applyQueues(applying: Applying, { queues }: PlatformConfiguration): Promise<Reconciliation> {
  const { trx, source, only } = applying;
  if (only && only.target.name !== defaultQueue.name)
    return await reconcileEntities(applying, kind, queues.map(wantedQueue));
  const isDescribed = queues.some(({ name }) => name === defaultQueue.name);
  if (!isDescribed) await giveDefaultBack(applying);
  const own = await reconcileEntities(applying, kind, queues.map(wantedQueue));
  const owner = await ownerOfDefault(trx);
  if (owner === source || (owner !== undefined && owner !== builtInSource)) return own;
  const builtIn = await reconcileEntities({ trx, source: builtInSource }, kind, [wantedQueue(defaultQueue)]);
  return { entities: new Map([...builtIn.entities, ...own.entities]), changes: [...own.changes, ...builtIn.changes] };
}

/** A source that no longer describes the default queue gives it back; its settings become the default ones. */
async function giveDefaultBack({ trx, source }: Applying): Promise<void> {
  await trx('directory.job_queues').where({ name: defaultQueue.name, source }).update({ source: builtInSource });
}

async function ownerOfDefault(trx: Transaction): Promise<EntityOwner | undefined> {
  const [row] = await trx<{ name: string; source: EntityOwner }>('directory.job_queues')
    .where({ name: defaultQueue.name })
    .select('source');
  return row?.source;
}

function wantedQueue(queue: PlatformConfiguration['queues'][number]): WantedEntity {
  const { name, status, slots = [], priority, parallelism } = queue;
  return { name, definition: queue, columns: { status, slots: JSON.stringify(slots), priority, parallelism } };
}
