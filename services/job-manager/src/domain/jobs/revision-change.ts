import { isDeepStrictEqual } from 'node:util';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { WorkflowRevision } from '@waybill/directory/access/action';
import { onlyEnded, staleHandlers, withInner } from '@waybill/workflow/run/plan-next';
import { outerSteps, titleOfStep } from '@waybill/workflow/run/step-title';
import type { StepProgress } from './job-ledger.ts';
import type { JobWorkflow } from './job.ts';

/** A job that continues with another revision of its workflow. */
export interface RevisionChange {
  /** The one that the job has had. */
  readonly before: JobWorkflow;
  readonly now: JobWorkflow;
}

/** Where a job continues with another revision. */
export interface Continuation {
  /** Of the first step that is not completed. */
  readonly position: number;
  readonly name: string;
  readonly task: string;
  /** Whether that step is another one than before, or has other parameters: what it has done does not count any more. */
  readonly isChanged: boolean;
}

/** The workflow of a job that uses this revision. */
export function workflowOf(revision: WorkflowRevision): JobWorkflow {
  return {
    templateId: revision.templateId,
    templateName: revision.name,
    templateRevision: revision.revision,
    templateDescription: revision.description,
    steps: revision.steps,
  };
}

/** What changes, for people: `with revision 4 of compress-file (before: 3)`; `undefined` if nothing does. */
export function describeRevisionChange({ before, now }: RevisionChange): string | undefined {
  const isSame = before.templateId === now.templateId;
  if (isSame && before.templateRevision === now.templateRevision) return undefined;
  const former = isSame ? '' : ` of ${before.templateName}`;
  return `with revision ${now.templateRevision} of ${now.templateName} (before: ${before.templateRevision}${former})`;
}

/**
 * Where the job continues. The new revision begins with the completed steps, in the same order and with the same tasks; they
 * keep their outputs, whatever their parameters are now. @throws CodedError `job_revision_refused`
 */
export function continuationOf({ before, now }: RevisionChange, steps: readonly StepProgress[]): Continuation {
  const begun = new Map(steps.map((step) => [step.position, step]));
  const stale = new Set(staleHandlers(before.steps, begun));
  const ended = onlyEnded(begun);
  for (const position of stale) ended.delete(position);
  for (const { position, name, task } of ended.values()) {
    const step = now.steps[position];
    const title = step && titleOfStep(now.steps, position);
    if (step && title === name && step.uses === task) continue;
    const place = step ? `there it is '${title}' with the task ${step.uses}` : 'it has fewer steps';
    throw refusal(now, `step ${position + 1}, '${name}' with the task ${task}, is completed, and ${place}`);
  }
  // The steps of a workflow that is completed are, too, even those that it did not run.
  const isOver = (index: number): boolean =>
    ended.has(index) || outerSteps(now.steps, index).some((one) => ended.has(one));
  const position = now.steps.findIndex((_, index) => !isOver(index));
  const next = now.steps[position];
  if (!next) throw refusal(now, 'all of its steps are completed, so nothing is left to do');
  const former = before.steps[position];
  const isChanged =
    next.name !== former?.name ||
    next.uses !== former.uses ||
    !isDeepStrictEqual([next.with, next.foreach], [former.with, former.foreach]);
  if (begun.has(position) && next.call && !isSameWithin(position, { before, now })) {
    throw refusal(now, `step ${position + 1}, '${next.name}', has begun a workflow that has changed: resubmit the job`);
  }
  return { position, name: next.name, task: next.uses, isChanged };
}

/** Whether the workflow that a step runs is the same, with all that it runs. */
function isSameWithin(position: number, { before, now }: RevisionChange): boolean {
  const within = ({ steps }: JobWorkflow) => withInner(steps, [position]).map((one) => steps[one]);
  return isDeepStrictEqual(within(before), within(now));
}

function refusal({ templateName, templateRevision }: JobWorkflow, why: string): CodedError {
  const detail = `The job cannot continue with revision ${templateRevision} of ${templateName}: ${why}`;
  return new CodedError('job_revision_refused', { detail });
}
