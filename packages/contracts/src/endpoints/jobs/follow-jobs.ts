import { z } from 'zod';
import { jobStatusSchema } from '../../values/job-status.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { eventStreamHeaders, eventStreamResponses } from '../event-stream.ts';

const querySchema = z.strictObject({
  status: jobStatusSchema.optional().describe('Changes to this status').meta({ example: 'ERROR' }),
  queue: soundTextSchema.optional().describe('Changes of jobs in this queue').meta({ example: 'Default Queue' }),
  contract: soundTextSchema.optional().describe('Changes of jobs of this contract').meta({ example: 'invoices' }),
});

/** Which changes of jobs are followed. */
export type JobEventFilter = z.infer<typeof querySchema>;

/** The changes of the status of jobs, as they happen. */
export const followJobsEndpoint = defineEndpoint({
  id: 'followJobs',
  tag: 'Job manager',
  method: 'GET',
  path: '/job-manager/jobs/events',
  summary: 'Follow jobs',
  description: [
    'Server-sent events of every change of a status, in all processes. First `ready`; then `change`, with `{ id, from, status,',
    'transition, at, queue, contract, action }`, within about a second of the change. Each has an id: a client that connects again',
    'with the last one in the header `Last-Event-ID` gets what it has missed, up to 10 000 changes; if there were more, it gets',
    '`reset` and lists the jobs again. An event can be repeated. A client that reads too slowly is disconnected. A comment is sent',
    'every 15 seconds. The stream ends when the access token expires: connect again with a new one. It ends within two seconds when',
    'the caller may not follow the jobs any longer.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'jobs:read' },
  query: querySchema,
  headers: eventStreamHeaders,
  responses: eventStreamResponses,
  errors: ['too_many_requests'],
});
