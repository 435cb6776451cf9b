import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { liveSessionSchema } from './live-session.ts';
import { actorFilter, maxItemShape, sessionFilters } from './session-filters.ts';

/** The open sessions of all clusters, with their activity. */
export const listServerSessionsEndpoint = defineEndpoint({
  id: 'listServerSessions',
  tag: 'Server sessions',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions',
  summary: 'List open sessions with their activity',
  description:
    'Lists the open SFTP sessions of all servers on all peers of all clusters, the oldest first. The activity of a session is at most one second old.',
  authentication: { kind: 'bearer', permission: 'sessions:read', ofActor: true },
  query: z.strictObject({
    clusterName: soundTextSchema.optional().describe('Only this cluster').meta({ example: 'cluster1' }),
    serverName: soundTextSchema.optional().describe('Only this server').meta({ example: 'sftp-server' }),
    ...sessionFilters,
    ...actorFilter,
    ...maxItemShape('sessions'),
  }),
  responses: {
    200: {
      description: 'The open sessions',
      body: {
        kind: 'json',
        schema: z.object({
          totalCount: z.int().min(0).describe('Number of matching sessions').meta({ example: 1 }),
          sessions: z.array(liveSessionSchema).describe('The requested sessions'),
        }),
      },
    },
  },
  errors: [],
});
