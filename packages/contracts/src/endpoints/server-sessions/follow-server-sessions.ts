import { defineEndpoint } from '../endpoint.ts';
import { eventStreamResponses } from '../event-stream.ts';

/** The changes of open sessions, as they happen. */
export const followServerSessionsEndpoint = defineEndpoint({
  id: 'followServerSessions',
  tag: 'Server sessions',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions/events',
  summary: 'Follow open sessions',
  description: [
    'Server-sent events of the sessions on all peers. First `snapshot`, with `{ sessions: [...] }`; then `opened` and `changed` (at',
    'most once a second for each session), each with a session as the list shows it, and `ended`, with `{ sessionId }`. A client',
    'that reads too slowly, and every client after an interruption, gets a new `snapshot` instead of the missed events. A comment is',
    'sent every 15 seconds. The stream ends when the access token expires: connect again with a new one. It ends within two seconds',
    'when the caller may not follow the sessions any longer.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'sessions:read' },
  responses: eventStreamResponses,
  errors: ['too_many_requests'],
});
