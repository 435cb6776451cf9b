import type { ActorConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import type { Transaction } from '@waybill/postgres/database';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { entityKey, reconcileEntities, type Reconciliation, referenceTo } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** The entities that contracts refer to. */
interface Nameable {
  readonly systems: Reconciliation;
  readonly queues: Reconciliation;
  readonly templates: Reconciliation;
}

type ContractAction = ActorConfiguration['contracts'][number]['actions'][number];

/** Applies Input, Mediation and Output contracts with their actions. */
export async function applyContracts(
  trx: Transaction,
  actors: readonly AppliedActor[],
  nameable: Nameable,
): Promise<readonly Change[]> {
  const contracts = actors.flatMap(({ id: actorId, actor }) =>
    actor.contracts.map((contract) => ({ actorId, actorName: actor.name, contract })),
  );
  const { entities, changes } = await reconcileEntities(
    trx,
    { entityType: 'Contract', table: 'contracts' },
    contracts.map(({ actorId, actorName, contract }) => ({
      name: contract.name,
      definition: { ...contract, actor: actorName },
      columns: {
        actor_id: actorId,
        type: contract.type,
        enabled: contract.enabled,
        queue_id: referenceTo(nameable.queues, contract.queue),
      },
    })),
  );
  for (const { actorId, contract } of contracts) {
    const entity = entities.get(contract.name);
    if (!entity?.rewritten) continue;
    const actions = contract.actions.map((action) => actionRow(action, actorId, nameable));
    await replaceParts(trx, 'contract_actions', { contract_id: entity.id }, actions);
  }
  return changes;
}

function actionRow(
  { name, trigger, vfs, workflow, variables, grants = [] }: ContractAction,
  actorId: string,
  nameable: Nameable,
) {
  const waits = isFileTrigger(trigger) ? trigger : undefined;
  const system = waits?.vfs ?? vfs;
  return {
    name,
    trigger_type: trigger.type,
    vfs_id: system === undefined ? null : referenceTo(nameable.systems, entityKey(system, actorId)),
    trigger_path: waits?.virtualPath ?? null,
    file_pattern: waits?.filePattern ?? null,
    schedule: trigger.type === 'Time' ? JSON.stringify(trigger) : null,
    template_id: referenceTo(nameable.templates, workflow),
    variables: JSON.stringify(variables),
    grants: JSON.stringify(grants),
  };
}
