import type { Action } from '@waybill/directory/access/action';
import type { JobSpecification } from './job.ts';

/** The properties that a job has from its action. */
export type ActionPart = Omit<JobSpecification, 'submittedBy' | 'variables' | 'dfic' | 'chainDepth'>;

/** The part of a new job that its action decides. */
export function jobOfAction(action: Action): ActionPart {
  const { workflow } = action;
  return {
    queue: action.queue,
    actor: action.actorName,
    actorId: action.actorId,
    contract: action.contractName,
    contractType: action.contractType,
    contractAction: action.actionName,
    contractActionTrigger: action.trigger,
    vfsId: action.vfsId,
    workflow: {
      templateId: workflow.templateId,
      templateName: workflow.name,
      templateRevision: workflow.revision,
      templateDescription: workflow.description,
      steps: workflow.steps,
    },
  };
}
