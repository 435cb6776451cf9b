import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { queuePathSchema, queueReasonSchema, queueSchema } from './queue.ts';

/** Extension of the interface: pause a queue. */
export const pauseQueueEndpoint = defineEndpoint({
  id: 'pauseQueue',
  tag: 'Job manager',
  method: 'POST',
  path: '/job-manager/queues/:name/pause',
  summary: 'Pause a queue',
  description:
    'The queue starts no job until it is resumed or deleted, whatever else of the configuration changes. Waiting jobs become SUSPENDED; jobs that run continue.',
  authentication: { kind: 'bearer', permission: 'queues:write' },
  params: queuePathSchema,
  query: z.strictObject({
    reason: queueReasonSchema.describe('Why, for the status message of the jobs and the audit log'),
  }),
  responses: { 200: { description: 'The paused queue', body: { kind: 'json', schema: queueSchema } } },
  errors: ['queue_unknown', 'queue_already_paused'],
});
