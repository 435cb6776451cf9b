import { CodedError } from '@waybill/contracts/coded-error';
import type { Transaction } from '@waybill/postgres/database';
import type { AppliedActor } from './applied-actor.ts';
import { entityKey, reconcileEntities, type Reconciliation } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** Whether there is any file in a VFS, unfinished ones included. */
export type HoldsFiles = (vfsId: string) => Promise<boolean>;

/**
 * Virtual file systems with their rules. One that is let go of is retired: it comes back with its id when the actor gets
 * it again.
 * @throws CodedError `configuration_invalid` when one is let go of that still holds files
 */
export async function applySystems(
  trx: Transaction,
  actors: readonly AppliedActor[],
  holdsFiles: HoldsFiles,
): Promise<Reconciliation> {
  const systems = actors.flatMap(({ id, actor }) =>
    actor.virtualFileSystems.map((system) => ({ actorId: id, actorName: actor.name, system })),
  );
  const reconciliation = await reconcileEntities(
    trx,
    {
      entityType: 'VFS',
      table: 'virtual_file_systems',
      scoped: true,
      retires: true,
      beforeRemoval: async ({ id, name }) => {
        if (await holdsFiles(id)) refuseRemoval(name);
      },
    },
    systems.map(({ actorId, actorName, system: { name, storageClass, folders, acl, retention } }) => ({
      name,
      actorId,
      definition: { name, actor: actorName, storageClass, folders, acl, retention },
      columns: { acl_enabled: acl !== undefined, storage_class: storageClass },
    })),
  );
  for (const { actorId, system } of systems) {
    const entity = reconciliation.entities.get(entityKey(system.name, actorId));
    if (!entity?.rewritten) continue;
    const rules = (system.acl ?? []).map(({ path, grants }) => ({ path, grants: JSON.stringify(grants) }));
    await replaceParts(trx, 'acl_rules', { vfs_id: entity.id }, rules);
  }
  return reconciliation;
}

function refuseRemoval(name: string): never {
  const message = `VFS ${name} still holds files: move or delete them before it is taken out of the configuration`;
  throw new CodedError('configuration_invalid', {
    detail: `The configuration cannot be applied: ${message}`,
    fields: [{ field: 'actors', message }],
  });
}
