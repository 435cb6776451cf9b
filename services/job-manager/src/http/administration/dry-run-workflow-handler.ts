import { reachOf } from '@waybill/access/principal';
import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import type { dryRunWorkflowEndpoint, DryRunView } from '@waybill/contracts/endpoints/administration/dry-run-workflow';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import type { DryItem, DryStep } from '@waybill/workflow/run/dry-outcome';
import type { DryRunAnswer, DryRunFile, DryRunWorkflow } from '../../domain/workflows/dry-runs/dry-run-workflow.ts';

/** Shows what a workflow would do. */
export function createDryRunWorkflowHandler({
  dryRunWorkflow,
}: {
  readonly dryRunWorkflow: DryRunWorkflow;
}): EndpointHandler<typeof dryRunWorkflowEndpoint> {
  return async ({ body, actors, principal }) => {
    // Jobs show the files that have started them.
    const files = reachOf(principal.grants, 'jobs:read');
    const answer = await dryRunWorkflow(body, {
      actors,
      filesOf: files === 'all' ? undefined : files,
      userName: principal.userName,
    });
    return { status: 200, body: present(answer) };
  };
}

function present({ workflow, action, file, run }: DryRunAnswer): DryRunView {
  const { status, message, outputs, steps } = run;
  return {
    workflow: workflow.name,
    revision: workflow.revision ?? null,
    ...(action && { contract: action.contractName, action: action.actionName }),
    file: file ? presentFile(file) : null,
    status,
    message,
    outputs,
    steps: steps.map(presentStep),
  };
}

function presentFile({ virtualFileSystem, described, startsAction }: DryRunFile): DryRunView['file'] {
  const { path, size, fileset } = described;
  return {
    virtualFileSystem: virtualFileSystem ?? null,
    path,
    size,
    fileset: virtualFileSystem === undefined ? null : fileset,
    ...(startsAction !== undefined && { startsAction }),
  };
}

function presentStep({
  items,
  dependsOn,
  section,
  condition,
  name,
  task,
  ...step
}: DryStep): DryRunView['steps'][number] {
  return {
    name,
    task,
    does: sentenceOf(task),
    section,
    ...(condition !== undefined && { condition }),
    ...presentEnd(step),
    status: step.status,
    ...(dependsOn && { dependsOn: [...dependsOn] }),
    ...(items && { items: items.map((item) => ({ index: item.index, ...presentEnd(item), status: item.status })) }),
  };
}

type Shown = Pick<DryItem, 'outputs' | 'outputsFrom' | 'error' | 'with'>;

function presentEnd({ outputs, outputsFrom, error, with: parameters }: Shown) {
  return {
    outputs: { ...outputs },
    error,
    ...(outputsFrom && { outputsFrom }),
    ...(parameters && { with: { ...parameters } }),
  };
}

function sentenceOf(task: string): string {
  const known: Readonly<Record<string, { readonly summary: string }>> = taskSpecifications;
  if (task === workflowCall) return 'Runs another workflow, whose steps follow.';
  return Object.hasOwn(known, task) ? (known[task]?.summary ?? '') : '';
}
