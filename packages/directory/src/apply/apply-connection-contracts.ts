import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { entityKey } from './entity-rows.ts';
import { type Applying, reconcileEntities, type Reconciliation, referenceTo } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** Applies Connection Contracts with their clauses. */
export async function applyConnectionContracts(
  applying: Applying,
  actors: readonly AppliedActor[],
  systems: Reconciliation,
): Promise<readonly Change[]> {
  const contracts = actors.flatMap(({ id: actorId, actor }) =>
    actor.connectionContracts.map((contract) => ({ actorId, actorName: actor.name, contract })),
  );
  const { entities, changes } = await reconcileEntities(
    applying,
    { entityType: 'Connection Contract', table: 'connection_contracts', scoped: true },
    contracts.map(({ actorId, actorName, contract }) => ({
      name: contract.name,
      actorId,
      definition: { ...contract, actor: actorName },
      columns: { enabled: contract.enabled, cluster_name: contract.cluster, server_name: contract.server },
    })),
  );
  const parts = contracts.flatMap(({ actorId, contract }) => {
    const entity = entities.get(entityKey(contract.name, actorId));
    if (!entity?.rewritten) return [];
    const rows = contract.clauses.map(({ user, group, vfs, mountPath }, position) => ({
      position,
      user_name: user ?? null,
      group_name: group ?? null,
      vfs_id: referenceTo(systems, entityKey(vfs, actorId)),
      mount_path: mountPath,
    }));
    return [{ ...entity, rows }];
  });
  await replaceParts(applying.trx, 'connection_clauses', 'connection_contract_id', parts);
  return changes;
}
