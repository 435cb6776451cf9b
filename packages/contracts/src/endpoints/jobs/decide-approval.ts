import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { changeReasonSchema, jobPathSchema } from './job-path.ts';
import { jobSchema } from './job.ts';

const decision = {
  tag: 'Job manager',
  method: 'POST',
  authentication: { kind: 'bearer', permission: 'approvals:run', ofActor: true },
  params: jobPathSchema,
  query: z.strictObject({
    reason: changeReasonSchema,
    step: soundTextSchema
      .optional()
      .describe('The step that is meant; a job that waits at another one by now is left alone')
      .meta({ example: 'four-eyes' }),
  }),
  responses: { 200: { description: 'The job after the decision', body: { kind: 'json', schema: jobSchema } } },
  errors: ['job_unknown', 'approval_not_awaited', 'approval_not_permitted'],
} as const;

const whoMay =
  'The step names the users and roles that may decide. The first decision counts; it is audited with its reason.';

/** Extension of the interface: approve a job that waits for an approval. */
export const approveJobEndpoint = defineEndpoint({
  ...decision,
  id: 'approveJob',
  path: '/job-manager/jobs/:id/approve',
  summary: 'Approve a job that waits for it',
  description: `Lets a job go on that waits at a step with the task \`wait-for-approval\`. ${whoMay}`,
});

/** Extension of the interface: reject a job that waits for an approval. */
export const rejectJobEndpoint = defineEndpoint({
  ...decision,
  id: 'rejectJob',
  path: '/job-manager/jobs/:id/reject',
  summary: 'Reject a job that waits for approval',
  description: `Ends the wait of a job at a step with the task \`wait-for-approval\`: the step fails, or goes on if \`onRejection\` says so. ${whoMay}`,
});
