import { z } from 'zod';
import { digitsAsNumber, wholeNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';

const idSchema = z.preprocess(digitsAsNumber, wholeNumber.min(1));

/** A job that waits for an approval. */
export const approvalSchema = z
  .object({
    job: z.int().describe('Number of the job').meta({ example: 245 }),
    actor: z.string().describe('Actor that the contract belongs to').meta({ example: 'acme' }),
    contract: z.string().describe('Name of the contract').meta({ example: 'invoices' }),
    contractAction: z.string().describe('Action of the contract').meta({ example: 'send-totals' }),
    submittedBy: z.string().describe('User who submitted the job, or whose file started it').meta({ example: 'acme' }),
    step: z.string().describe('The step that waits; in a workflow that another one runs, its path').meta({
      example: 'four-eyes',
    }),
    message: z
      .string()
      .describe('What is to be approved, and until when: the message of the job')
      .meta({ example: 'Waiting for approval, at most until 2026-03-03 08:15:30 (UTC): Send the totals of march' }),
    question: z.string().describe('What is to be approved').meta({ example: 'Send the totals of march' }),
    approvers: z
      .array(z.string())
      .describe('The users and roles that may decide')
      .meta({ example: ['alice', 'role:Administrators'] }),
    mayDecide: z.boolean().describe('Whether the caller is one of them').meta({ example: true }),
    since: z.iso.datetime().describe('When the wait began').meta({ example: '2026-03-02T08:15:30.250Z' }),
    until: z.iso
      .datetime()
      .describe('When the time limit of the step decides')
      .meta({ example: '2026-03-03T08:15:30.250Z' }),
  })
  .meta({ id: 'Approval' });

/** A job that waits for an approval, as the job manager shows it. */
export type ApprovalView = z.infer<typeof approvalSchema>;

/** Extension of the interface: the jobs that wait for an approval. */
export const listApprovalsEndpoint = defineEndpoint({
  id: 'listApprovals',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/approvals',
  summary: 'List the jobs that wait for an approval',
  description:
    'Lists the jobs that wait at a step with the task `wait-for-approval` and match all filters, by the number of the job, one page at a time.',
  authentication: { kind: 'bearer', permission: 'approvals:run', ofActor: true },
  query: z.strictObject({
    maxItems: z
      .preprocess(digitsAsNumber, wholeNumber.min(1).max(1_000))
      .default(100)
      .describe('Approvals on one page; 100 by default')
      .meta({ example: 100 }),
    actor: soundTextSchema.optional().describe('Actor').meta({ example: 'acme' }),
    contract: soundTextSchema.optional().describe('Name of the contract').meta({ example: 'invoices' }),
    contractAction: soundTextSchema.optional().describe('Action').meta({ example: 'send-totals' }),
    step: soundTextSchema.optional().describe('The step that waits').meta({ example: 'four-eyes' }),
    job: idSchema.optional().describe('Number of the job').meta({ example: 245 }),
    mayDecide: z.enum(['true', 'false']).optional().describe('Whether the caller may decide').meta({ example: 'true' }),
    cursor: idSchema.optional().describe('Start of the page; part of a `next` link').meta({ example: 245 }),
  }),
  responses: {
    200: {
      description: 'A page of approvals',
      body: {
        kind: 'json',
        schema: z
          .object({
            approvals: z.array(approvalSchema).describe('The approvals of this page'),
            next: z
              .string()
              .optional()
              .describe('Link to the next page, from the context path; absent on the last page')
              .meta({ example: '/job-manager/approvals?maxItems=100&cursor=245' }),
          })
          .meta({ id: 'ApprovalList' }),
      },
    },
  },
  errors: [],
});
