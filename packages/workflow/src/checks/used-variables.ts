import type { WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import { parseComputed } from '../expressions/expression.ts';
import { parseReferencePath } from '../expressions/reference-path.ts';
import { referencesOf } from '../expressions/references.ts';
import { hasExpression, splitTemplate } from '../expressions/template-text.ts';
import { itemRulesOf } from '../run/foreach-items.ts';

/**
 * The variables that a workflow uses: those that its expressions name, and its inputs. `all` if an expression uses them as a
 * whole, or if one cannot be read.
 */
export function usedVariables(workflow: WorkflowTemplate): ReadonlySet<string> | 'all' {
  const { steps, onError = [], finally: last = [], inputs = {}, outputs = {} } = workflow;
  const used = new Set(Object.keys(inputs));
  const ofSteps = [...steps, ...onError, ...last].flatMap((step) => [
    ...sourcesIn(step.with),
    ...(typeof step.if === 'string' ? conditionSources(step.if) : []),
    ...(step.foreach === undefined ? [] : listSources(itemRulesOf(step.foreach).in)),
  ]);
  const sources = [...ofSteps, ...Object.values(outputs).flatMap(({ value }) => sourcesIn(value))];
  for (const source of sources) {
    const references = namesIn(source);
    if (references === undefined) return 'all';
    for (const [root, name] of references) {
      if (root !== 'variables') continue;
      if (name === undefined) return 'all';
      used.add(name);
    }
  }
  return used;
}

function sourcesIn(value: unknown): string[] {
  if (typeof value === 'string') {
    return splitTemplate(value).flatMap((part) => (part.kind === 'expression' ? [part.source] : []));
  }
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(sourcesIn) : [];
}

function listSources(list: string | readonly unknown[]): string[] {
  return typeof list === 'string' ? conditionSources(list) : sourcesIn(list);
}

function conditionSources(condition: string): string[] {
  return hasExpression(condition) ? sourcesIn(condition) : [condition.trim()];
}

function namesIn(source: string): (readonly string[])[] | undefined {
  const path = parseReferencePath(source);
  if (path) return [path];
  try {
    return referencesOf(parseComputed(source)).map(({ names }) => names);
  } catch {
    return undefined;
  }
}
