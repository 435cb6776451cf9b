import type { ActorConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { isFileTrigger, systemOfAction } from '@waybill/contracts/configuration/workflow-configuration';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { entityKey } from './entity-rows.ts';
import { type Applying, reconcileEntities, type Reconciliation, referenceTo } from './reconcile-entities.ts';
import { replaceParts } from './replace-parts.ts';

/** The entities that contracts refer to. */
interface Nameable {
  readonly systems: Reconciliation;
  readonly queues: Reconciliation;
  readonly templates: Reconciliation;
}

type Contract = ActorConfiguration['contracts'][number];
type ContractAction = Contract['actions'][number];

/** Applies Input, Mediation and Output contracts with their actions. */
export async function applyContracts(
  applying: Applying,
  actors: readonly AppliedActor[],
  nameable: Nameable,
): Promise<readonly Change[]> {
  const contracts = actors.flatMap(({ id: actorId, actor }) =>
    actor.contracts.map((contract) => ({ actorId, actorName: actor.name, contract })),
  );
  const { entities, changes } = await reconcileEntities(
    applying,
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
  const rewritten = contracts.flatMap(({ actorId, contract }) => {
    const entity = entities.get(contract.name);
    return entity?.rewritten ? [{ entity, actorId, contract }] : [];
  });
  const actions = rewritten.map(({ entity, actorId, contract }) => ({
    ...entity,
    rows: contract.actions.map((action) => actionRow(action, contract, actorId, nameable)),
  }));
  await replaceParts(applying.trx, 'contract_actions', 'contract_id', actions);
  const expectations = rewritten.map(({ entity, actorId, contract }) => ({
    ...entity,
    rows: expectationRows(contract, actorId, nameable),
  }));
  await replaceParts(applying.trx, 'contract_expectations', 'contract_id', expectations);
  return changes;
}

function expectationRows({ expectations = [] }: Contract, actorId: string, { systems }: Nameable) {
  return expectations.map((expectation) => ({
    name: expectation.name,
    vfs_id: referenceTo(systems, entityKey(expectation.vfs, actorId)),
    virtual_path: expectation.virtualPath,
    definition: JSON.stringify(expectation),
  }));
}

function actionRow(action: ContractAction, { expectations = [] }: Contract, actorId: string, nameable: Nameable) {
  const { name, trigger, workflow, variables, grants = [] } = action;
  const waits = isFileTrigger(trigger) ? trigger : undefined;
  const expects = trigger.type === 'Expectation' ? trigger : undefined;
  const system = systemOfAction(action, expectations);
  return {
    name,
    trigger_type: trigger.type,
    vfs_id: system === undefined ? null : referenceTo(nameable.systems, entityKey(system, actorId)),
    trigger_path: waits?.virtualPath ?? null,
    file_pattern: waits?.filePattern ?? null,
    schedule: trigger.type === 'Time' ? JSON.stringify(trigger) : null,
    expectation: expects?.expectation ?? null,
    expectation_outcomes: expects ? JSON.stringify(expects.on) : null,
    template_id: referenceTo(nameable.templates, workflow),
    variables: JSON.stringify(variables),
    grants: JSON.stringify(grants),
  };
}
