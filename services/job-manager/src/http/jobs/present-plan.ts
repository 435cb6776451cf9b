import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { PlannedStepView } from '@waybill/contracts/endpoints/jobs/job-detail';
import { outerSteps, titleOfStep } from '@waybill/workflow/run/step-title';

/** The steps of the workflow of a job. One that belongs to the workflow of another step runs when that step does. */
export function presentPlan(steps: readonly StoredStep[]): PlannedStepView[] {
  return steps.map(({ uses, if: condition, foreach, section }, position) => ({
    name: titleOfStep(steps, position),
    task: uses,
    section: section ?? sectionAround(steps, position),
    conditional: condition !== undefined,
    foreach: foreach !== undefined,
  }));
}

function sectionAround(steps: readonly StoredStep[], position: number): PlannedStepView['section'] {
  const outer = outerSteps(steps, position).find((one) => steps[one]?.section !== undefined);
  return (outer === undefined ? undefined : steps[outer]?.section) ?? 'steps';
}
