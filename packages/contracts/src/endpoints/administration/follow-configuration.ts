import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { eventStreamResponses } from '../event-stream.ts';

/** Reports that the configuration has changed. */
export const followConfigurationEndpoint = defineEndpoint({
  id: 'followConfiguration',
  tag: 'Configuration',
  method: 'GET',
  path: '/platform-application/api/v1/configuration/events',
  summary: 'Follow the configuration',
  description: [
    'Server-sent events: first `ready`; then `change` within a second after the configuration, a frozen user or an SSH key has changed,',
    'by any process. An event says that something may have changed, and not what: read again what you show. Several changes can be',
    'one event. After a new connection, read everything again. A comment is sent every 15 seconds. The stream ends when the access',
    'token expires: connect again with a new one. It ends within two seconds when the caller may not follow the configuration any longer,',
    'or of fewer actors.',
  ].join(' '),
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  query: z.strictObject({}),
  responses: eventStreamResponses,
  errors: ['too_many_requests'],
});
