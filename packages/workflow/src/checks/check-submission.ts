import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { hasExpression } from '../expressions/template-text.ts';
import type { NameableEntities } from './template-context.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/** The contract and the action of a step that submits a job, as far as they are known before the step runs. */
export function checkSubmission(
  { uses, with: { contract, action } }: WrittenStep,
  path: TemplateFault['path'],
  entities: NameableEntities | undefined,
): TemplateFault[] {
  const contractName = nameIn(contract);
  if (uses !== 'submit-job' || contractName === undefined || !entities) return [];
  if (entities.mayExist('Contract', contractName)) return [];
  const actions = entities.contracts.get(contractName);
  if (!actions) return [{ path: [...path, 'contract'], message: noContract(contractName, entities) }];
  const actionName = nameIn(action);
  const trigger = actionName === undefined ? undefined : actions.get(actionName);
  if (actionName === undefined || trigger === 'OnDemand') return [];
  const message =
    trigger === undefined
      ? `the contract ${contractName} has no action ${actionName}${suggestion(actionName, actions.keys())}`
      : `the action ${actionName} of the contract ${contractName} is started by ${trigger}, not on demand`;
  return [{ path: [...path, 'action'], message }];
}

function noContract(name: string, { title, contracts, owners }: NameableEntities): string {
  const owner = owners.get(name);
  if (owner === undefined)
    return `${title} can submit no job of a contract ${name}${suggestion(name, contracts.keys())}`;
  return `the contract ${name} belongs to the actor ${owner}: a job submits only jobs of its own actor`;
}

/** A name, in the form in which the configuration has it. */
function nameIn(value: unknown): string | undefined {
  return typeof value === 'string' && !hasExpression(value) ? value.normalize('NFC') : undefined;
}
