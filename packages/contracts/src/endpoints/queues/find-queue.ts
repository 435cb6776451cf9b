import { defineEndpoint } from '../endpoint.ts';
import { queuePathSchema, queueSchema } from './queue.ts';

/** Extension of the interface: one queue with its state and its depth. */
export const findQueueEndpoint = defineEndpoint({
  id: 'findQueue',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/queues/:name',
  summary: 'Show a queue',
  authentication: { kind: 'bearer', permission: 'queues:read' },
  params: queuePathSchema,
  responses: { 200: { description: 'The queue', body: { kind: 'json', schema: queueSchema } } },
  errors: ['queue_unknown'],
});
