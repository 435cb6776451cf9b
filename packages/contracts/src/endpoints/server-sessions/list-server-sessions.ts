import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { soundTextSchema } from '../../values/sound-text.ts';
import { userNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { liveSessionSchema } from './live-session.ts';

/** The open sessions of all clusters, with their activity. */
export const listServerSessionsEndpoint = defineEndpoint({
  id: 'listServerSessions',
  tag: 'Server sessions',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions',
  summary: 'List open sessions with their activity',
  description:
    'Lists the open SFTP sessions of all servers on all peers of all clusters, the oldest first. The activity of a session is at most one second old.',
  authentication: { kind: 'bearer', permission: 'sessions:read' },
  query: z.strictObject({
    clusterName: soundTextSchema.optional().describe('Only this cluster').meta({ example: 'cluster1' }),
    peerName: soundTextSchema.optional().describe('Only this peer').meta({ example: 'peer1' }),
    serverName: soundTextSchema.optional().describe('Only this server').meta({ example: 'sftp-server' }),
    userName: userNameSchema.optional().describe('Only this user').meta({ example: 'acme' }),
    maxItem: z
      .preprocess(digitsAsNumber, z.int({ error: 'must be a whole number' }).min(1).max(100_000))
      .default(100)
      .describe('Maximum number of sessions; default 100')
      .meta({ example: 100 }),
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
