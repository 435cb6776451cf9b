import { z } from 'zod';
import { dataflowContextSchema } from '../../values/dataflow-context.ts';
import { jobStatusSchema } from '../../values/job-status.ts';

/** A job's run of a workflow, with the revision of the template that it was created with. */
export const workflowInstanceSchema = z
  .object({
    id: z.int().describe('Number of the workflow instance').meta({ example: 245 }),
    workflowTemplateId: z.int().describe('Number of the workflow template').meta({ example: 1 }),
    workflowTemplateName: z.string().describe('Name of the workflow template').meta({ example: 'compress-file' }),
    workflowTemplateRevision: z.int().describe('Revision of the template that the job uses').meta({ example: 3 }),
    workflowTemplateDescription: z
      .string()
      .describe('What the workflow does')
      .meta({ example: 'Compresses a new file into the outgoing folder.' }),
  })
  .meta({ id: 'WorkflowInstance' });

/** A job as the job manager shows it. */
export const jobSchema = z
  .object({
    id: z.int().positive().describe('Number of the job').meta({ example: 245 }),
    status: jobStatusSchema.describe('Status of the job').meta({ example: 'COMPLETED' }),
    statusMessage: z.string().describe('Reason for the status').meta({ example: 'All steps are done (1)' }),
    createdAt: z.iso.datetime().describe('When it was submitted').meta({ example: '2026-03-02T08:15:30.250Z' }),
    updatedAt: z.iso.datetime().describe('When its status last changed').meta({ example: '2026-03-02T08:15:30.410Z' }),
    submittedBy: z.string().describe('User who submitted it, or whose file started it').meta({ example: 'acme' }),
    queue: z.string().describe('Queue that it waits in').meta({ example: 'Default Queue' }),
    actor: z.string().describe('Actor that the contract belongs to').meta({ example: 'acme' }),
    contract: z.string().describe('Name of the contract').meta({ example: 'invoices' }),
    contractType: z.string().describe('Input, Mediation or Output').meta({ example: 'Mediation' }),
    contractAction: z.string().describe('Action of the contract').meta({ example: 'compress-on-arrival' }),
    contractActionTrigger: z.string().describe('What started the action').meta({ example: 'NewFile' }),
    contractActionWorkflowInstance: workflowInstanceSchema,
    dfic: dataflowContextSchema.describe('Origin of the data'),
    extIPID: z
      .string()
      .optional()
      .describe('External idempotency identifier, if the submitter gave one')
      .meta({ example: 'order-4711' }),
  })
  .meta({ id: 'Job' });

/** A job as the job manager shows it. */
export type JobView = z.infer<typeof jobSchema>;
