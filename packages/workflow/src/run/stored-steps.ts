import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import type { StoredStep, WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import { parseReferencePath } from '../expressions/reference-path.ts';
import { splitTemplate } from '../expressions/template-text.ts';

/** The names that the first workers knew, which evaluate paths in texts alone. */
const firstNames: ReadonlySet<string> = new Set(['file', 'variables', 'steps', 'job']);

/** Workflow templates by their names. */
export type Workflows<T = WorkflowTemplate> = ReadonlyMap<string, T>;

/**
 * The steps of all sections of a template, in one list, as a revision stores them. Their positions identify them in a job. A step
 * that runs another workflow is followed by the steps of that workflow, so that a revision holds all that its jobs run.
 * `workflows`: none of them runs itself, not even through others.
 */
export function storedSteps(template: WorkflowTemplate, workflows: Workflows = new Map()): StoredStep[] {
  const stored: StoredStep[] = [];
  append(stored, template, workflows);
  return stored;
}

function append(stored: StoredStep[], template: WorkflowTemplate, workflows: Workflows, parent?: number): void {
  const { steps, onError = [], finally: last = [] } = template;
  const placed: StoredStep[] = [
    ...steps,
    ...onError.map((step) => ({ ...step, section: 'onError' as const })),
    ...last.map((step) => ({ ...step, section: 'finally' as const })),
  ];
  for (const step of placed) {
    const position = stored.length;
    const called = step.uses === workflowCall ? workflows.get(step.workflow ?? '') : undefined;
    stored.push({
      ...marked(step),
      ...(parent !== undefined && { parent }),
      ...(called && { call: { inputs: called.inputs ?? {}, outputs: called.outputs ?? {} } }),
    });
    if (called) append(stored, called, workflows, position);
  }
}

function marked(step: StoredStep): StoredStep {
  return Object.values(step.with).every(isOfFirstLanguage) ? step : { ...step, language: 2 };
}

/** Whether a worker that knows nothing but paths in texts evaluates a parameter in the same way. */
function isOfFirstLanguage(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return splitTemplate(value).every((part) => {
    if (part.kind === 'text') return true;
    const path = parseReferencePath(part.source);
    if (!path || !firstNames.has(path[0])) return false;
    return !(path[0] === 'steps' && path[2] !== 'outputs');
  });
}
