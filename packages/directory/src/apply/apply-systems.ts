import type { ActorConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Transaction } from '@waybill/postgres/database';
import type { AppliedActor } from './apply-actors.ts';
import { entityKey } from './entity-rows.ts';
import { type Applying, reconcileEntities, type Reconciliation } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** The functions of the filebox that applying a configuration uses. */
export interface FilePorts {
  /** How many files each VFS holds that has any, unfinished ones included. Called with the VFSs that are removed. */
  countFiles(vfsIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Sets the limits of a VFS, as part of the transaction. */
  setLimits(
    trx: Transaction,
    vfs: {
      vfsId: string;
      name: string;
      limits: ActorConfiguration['virtualFileSystems'][number]['limits'];
      /** It was created by this transaction: nothing else can use it yet. */
      isNew: boolean;
    },
  ): Promise<void>;
}

/**
 * Applies virtual file systems with their rules. A removed one is retired: it is restored with its id if the actor
 * gets it again. @throws CodedError `configuration_invalid` if a removed one still holds files
 */
export async function applySystems(
  applying: Applying,
  actors: readonly AppliedActor[],
  { countFiles, setLimits }: FilePorts,
): Promise<Reconciliation> {
  const systems = actors.flatMap(({ id, actor }) =>
    actor.virtualFileSystems.map((system) => ({ actorId: id, actorName: actor.name, system })),
  );
  const reconciliation = await reconcileEntities(
    applying,
    {
      entityType: 'VFS',
      table: 'virtual_file_systems',
      scoped: true,
      retires: true,
      beforeRemoval: async (removed) => {
        const held = await countFiles(removed.map(({ id }) => id));
        for (const { id, name } of removed) if (held.has(id)) refuseRemoval(name, held.get(id) ?? 0);
      },
    },
    systems.map(({ actorId, actorName, system }) => ({
      name: system.name,
      actorId,
      definition: { ...system, actor: actorName },
      columns: { acl_enabled: system.acl !== undefined, storage_class: system.storageClass },
    })),
  );
  const rewritten = systems.flatMap(({ actorId, system }) => {
    const entity = reconciliation.entities.get(entityKey(system.name, actorId));
    return entity?.rewritten ? [{ entity, system }] : [];
  });
  const rules = rewritten.map(({ entity, system: { acl = [] } }) => ({
    ...entity,
    rows: acl.map(({ path, grants }) => ({ path, grants: JSON.stringify(grants) })),
  }));
  await replaceParts(applying.trx, 'acl_rules', 'vfs_id', rules);
  for (const { entity, system } of rewritten) {
    const { isNew = false } = entity;
    await setLimits(applying.trx, { vfsId: entity.id, name: system.name, limits: system.limits, isNew });
  }
  return reconciliation;
}

function refuseRemoval(name: string, files: number): never {
  const held = files === 1 ? '1 file' : `${files} files`;
  const message = `VFS ${name} cannot be removed: it holds ${held}. Keep it in the configuration, or delete the files first.`;
  throw new CodedError('configuration_invalid', { detail: message });
}
