import type { StoredStep, WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import { parseReferencePath } from '../expressions/reference-path.ts';
import { splitTemplate } from '../expressions/template-text.ts';

/** The names that the first workers knew, which evaluate paths in texts alone. */
const firstNames: ReadonlySet<string> = new Set(['file', 'variables', 'steps', 'job']);

/** The steps of all sections of a template, in one list, as a revision stores them. Their positions identify them in a job. */
export function storedSteps({ steps, onError = [], finally: last = [] }: WorkflowTemplate): StoredStep[] {
  return [
    ...steps.map((step) => marked(step)),
    ...onError.map((step) => marked({ ...step, section: 'onError' })),
    ...last.map((step) => marked({ ...step, section: 'finally' })),
  ];
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
