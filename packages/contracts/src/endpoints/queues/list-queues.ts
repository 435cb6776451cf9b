import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { queueSchema } from './queue.ts';

/** Extension of the interface: the queues with their state and their depth. */
export const listQueuesEndpoint = defineEndpoint({
  id: 'listQueues',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/queues',
  summary: 'List the queues',
  description: 'All queues of the configuration by name, and those that were removed from it while they have jobs.',
  authentication: { kind: 'bearer', permission: 'queues:read' },
  responses: {
    200: {
      description: 'The queues',
      body: {
        kind: 'json',
        schema: z.object({ queues: z.array(queueSchema).describe('The queues, by name') }).meta({ id: 'QueueList' }),
      },
    },
  },
  errors: [],
});
