import type { StoredStep, WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { WorkflowRevision } from '@waybill/directory/access/action';

type Declarations = Pick<WorkflowTemplate, 'inputs' | 'outputs'>;

/** The templates that a revision was made of: the workflow itself, and those that it runs. */
export function templatesOfRevision({ name, steps, inputs, outputs }: WorkflowRevision): WorkflowTemplate[] {
  const templates = new Map([[name, templateOf(name, { inputs, outputs }, steps, undefined)]]);
  for (const [position, { workflow, call }] of steps.entries()) {
    if (workflow === undefined || call === undefined || templates.has(workflow)) continue;
    templates.set(workflow, templateOf(workflow, call, steps, position));
  }
  return [...templates.values()];
}

function templateOf(
  name: string,
  { inputs, outputs }: Declarations,
  all: readonly StoredStep[],
  parentOfSteps: number | undefined,
): WorkflowTemplate {
  const own = all.filter(({ parent }) => parent === parentOfSteps);
  const ofSection = (wanted: StoredStep['section']): WorkflowTemplate['steps'] =>
    own
      .filter(({ section }) => section === wanted)
      .map(({ section: _section, language: _language, parent: _parent, call: _call, ...step }) => step);
  return {
    name,
    description: '',
    inputs,
    outputs,
    steps: ofSection(undefined),
    onError: ofSection('onError'),
    finally: ofSection('finally'),
  };
}
