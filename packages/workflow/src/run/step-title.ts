import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';

type NamedStep = Pick<StoredStep, 'name' | 'parent'>;

/** The names of a step and of the steps that run its workflow: `pack/compress`. Unique in a job. */
export function titleOfStep(steps: readonly NamedStep[], position: number): string {
  const step = steps[position];
  if (!step) throw new Error(`the workflow has no step ${position}`);
  return step.parent === undefined ? step.name : `${titleOfStep(steps, step.parent)}/${step.name}`;
}

/** The positions of the steps that run the workflow of a step, the nearest one first. */
export function outerSteps(steps: readonly NamedStep[], position: number): number[] {
  const parent = steps[position]?.parent;
  return parent === undefined ? [] : [parent, ...outerSteps(steps, parent)];
}
