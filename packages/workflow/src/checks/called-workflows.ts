import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import { isWaitingTask } from '@waybill/contracts/tasks/task-specifications';
import type { Workflows } from '../run/stored-steps.ts';
import type { WrittenStep, WrittenTemplate } from './template-fault.ts';

/** How deep workflows run each other: a workflow that runs none has the depth 1. */
export const depthAtMost = 5;

/** What a workflow is with all that it runs. */
export interface WorkflowSummary {
  /** Its steps, with those of the workflows that they run. */
  readonly steps: number;
  readonly depth: number;
  /** A step at which a job waits: `four-eyes`. */
  readonly waitsAt?: string | undefined;
  /** A step that runs for the items of a list. */
  readonly loopsAt?: string | undefined;
  /** The names of workflows that run each other in a circle: `[a, b, a]`. */
  readonly cycle?: readonly string[] | undefined;
}

const summaries = new WeakMap<Workflows<WrittenTemplate>, Map<string, WorkflowSummary>>();

/** Describes a workflow with all that it runs. A name that there is no workflow for has no steps. */
export function summarizeWorkflow(
  name: string,
  workflows: Workflows<WrittenTemplate>,
  trail: readonly string[] = [],
): WorkflowSummary {
  const known = summaries.get(workflows) ?? new Map<string, WorkflowSummary>();
  summaries.set(workflows, known);
  const before = known.get(name);
  if (before) return before;
  if (trail.includes(name)) return { steps: 0, depth: 0, cycle: [...trail.slice(trail.indexOf(name)), name] };
  const own = allSteps(workflows.get(name));
  const inner: WorkflowSummary[] = [];
  for (const step of own) {
    const called = calledBy(step);
    if (called === undefined) continue;
    const one = summarizeWorkflow(called, workflows, [...trail, name]);
    // Not remembered, and nothing more is looked at: what is in a circle can be reached in very many ways.
    if (one.cycle) return { steps: own.length, depth: 1, cycle: one.cycle };
    inner.push(one);
  }
  const found = <T>(of: (summary: WorkflowSummary) => T | undefined): T | undefined =>
    inner.map(of).find((one) => one !== undefined);
  const summary: WorkflowSummary = {
    steps: own.length + inner.reduce((sum, { steps }) => sum + steps, 0),
    depth: 1 + Math.max(0, ...inner.map(({ depth }) => depth)),
    waitsAt: own.find(({ uses }) => isWaitingTask(uses))?.name ?? found(({ waitsAt }) => waitsAt),
    loopsAt: own.find(({ foreach }) => foreach !== undefined)?.name ?? found(({ loopsAt }) => loopsAt),
  };
  known.set(name, summary);
  return summary;
}

/** The steps of all sections. */
export function allSteps(template: WrittenTemplate | undefined): readonly WrittenStep[] {
  return template ? [...template.steps, ...(template.onError ?? []), ...(template.finally ?? [])] : [];
}

/** The workflow that a step runs. */
export function calledBy({ uses, workflow }: WrittenStep): string | undefined {
  return uses === workflowCall ? workflow : undefined;
}

/** The names of the workflows that a workflow runs, also through others. */
export function reachedFrom(name: string, workflows: Workflows<WrittenTemplate>): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [name];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const step of allSteps(workflows.get(next))) {
      const called = calledBy(step);
      if (called === undefined || reached.has(called) || !workflows.has(called)) continue;
      reached.add(called);
      waiting.push(called);
    }
  }
  return reached;
}
