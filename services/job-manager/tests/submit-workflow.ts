import type { ShownJob, TestJobManager } from './start-test-job-manager.ts';
import type { TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

/** Puts a workflow into force, with other templates if there are some; the action `run` of the contract runs it on demand. */
export async function applyWorkflow(
  platform: TestPlatform,
  template: object,
  { others = [], contract = 'tested' }: { others?: readonly object[]; contract?: string } = {},
): Promise<void> {
  const action = { name: 'run', workflow: 'tested', trigger: { type: 'OnDemand' }, vfs: 'acme-files' };
  await platform.apply({
    ...testConfiguration,
    workflowTemplates: [...testConfiguration.workflowTemplates, ...others, { name: 'tested', ...template }],
    actors: testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: [...actor.contracts, { name: contract, type: 'Mediation', actions: [action] }],
    })),
  });
}

let contracts = 0;

/** Puts a workflow into force, with other templates if there are some, and submits a job of it. @throws Error if the submission is refused */
export async function submitWorkflow(
  platform: TestPlatform,
  manager: TestJobManager,
  template: object,
  actionVariables: object = {},
  others: readonly object[] = [],
): Promise<ShownJob> {
  // The job manager knows the actions of a contract for a while: a new one is found at once.
  contracts += 1;
  const contract = `tested-${contracts}`;
  await applyWorkflow(platform, template, { contract, others });
  const response = await manager.submit({ contractName: contract, actionName: 'run', actionVariables });
  if (response.status !== 201) throw new Error(`the submission was answered ${response.status}: ${response.text}`);
  return response.json() as ShownJob;
}
