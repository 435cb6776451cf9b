import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { eventStreamHeaders, eventStreamResponses } from '../event-stream.ts';
import { auditFilterParameter } from './list-audit-records.ts';

/** Extension of the interface: the audit records as they are recorded. */
export const followAuditRecordsEndpoint = defineEndpoint({
  id: 'followAuditRecords',
  tag: 'Audit logs',
  method: 'GET',
  path: '/platform-application/api/v1/audit/logs/events',
  summary: 'Follow the audit log',
  description: [
    'Server-sent events: first `ready`, then `record` with each record that matches, in the order of the log, about half a second',
    'after it was recorded. Each has the number of the record as its id: a client that connects again with the last one in the header',
    '`Last-Event-ID` gets all records after it, however many. `reset` says that the log does not have that record, after a restore.',
    'A slow client delays nothing but its own events. A comment is sent every 15 seconds. The stream ends when the access token',
    'expires: connect again with a new one. It ends within two seconds when the caller may not follow the log any longer.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'audit:read' },
  query: z.strictObject({ q: auditFilterParameter }),
  headers: eventStreamHeaders,
  responses: eventStreamResponses,
  errors: ['too_many_requests'],
});
