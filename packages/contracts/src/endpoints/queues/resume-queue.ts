import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { queuePathSchema, queueReasonSchema, queueSchema } from './queue.ts';

/** Extension of the interface: resume a queue that was paused. */
export const resumeQueueEndpoint = defineEndpoint({
  id: 'resumeQueue',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/queues/:name/resume',
  summary: 'Resume a paused queue',
  description: 'Ends the pause. If the configuration has the queue open, its jobs start at once.',
  authentication: { kind: 'bearer', permission: 'queues:write' },
  params: queuePathSchema,
  query: z.strictObject({ reason: queueReasonSchema.optional().describe('Why, for the audit log') }),
  responses: { 200: { description: 'The queue', body: { kind: 'json', schema: queueSchema } } },
  errors: ['queue_unknown', 'queue_not_paused'],
});
