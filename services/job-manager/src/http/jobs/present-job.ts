import type { JobView } from '@waybill/contracts/endpoints/jobs/job';
import type { ListedJob } from '../../domain/jobs/job.ts';

/** A job in the form of interface 2.2. */
export function presentJob(job: ListedJob): JobView {
  const { workflow } = job;
  return {
    id: job.id,
    status: job.status,
    statusMessage: job.statusMessage,
    createdAt: job.createdAt.toISOString(),
    updatedAt: job.updatedAt.toISOString(),
    submittedBy: job.submittedBy,
    queue: job.queue,
    actor: job.actor,
    contract: job.contract,
    contractType: job.contractType,
    contractAction: job.contractAction,
    contractActionTrigger: job.contractActionTrigger,
    contractActionWorkflowInstance: {
      id: job.workflowInstanceId,
      workflowTemplateId: workflow.templateId,
      workflowTemplateName: workflow.templateName,
      workflowTemplateRevision: workflow.templateRevision,
      workflowTemplateDescription: workflow.templateDescription,
    },
    dfic: job.dfic,
    ...(job.extIPID !== undefined && { extIPID: job.extIPID }),
  };
}
