import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { actorFilter, maxItemShape, sessionFilters } from './session-filters.ts';

const path = '/platform-application/api/v1/infrastructure/clusters/http-sessions';

const httpSessionSchema = z
  .object({
    sessionId: z
      .string()
      .describe('Names the session to end it')
      .meta({ example: '0195a1c2-7b1e-4f00-8d3c-2a9d1f6b4c10' }),
    userName: z.string().describe("Login name of the session's user").meta({ example: 'acme' }),
    peerName: z.string().describe('Peer of the login; the session holds on all peers').meta({ example: 'peer1' }),
    serverName: z.string().describe('Server of the login').meta({ example: 'http-server' }),
    address: z.string().nullable().describe('The address of the login; null: not known').meta({ example: '192.0.2.7' }),
    client: z
      .string()
      .nullable()
      .describe('The software of the login; null: not known')
      .meta({ example: 'curl/8.5.0' }),
    openedAt: z.iso.datetime().describe('Time of the login').meta({ example: '2026-03-01T10:15:00.000Z' }),
  })
  .meta({ id: 'HttpSession' });

/** A session over HTTP, as operators see it. */
export type HttpSessionView = z.infer<typeof httpSessionSchema>;

/** Extension of the interface: who is logged in over HTTP. */
export const listHttpSessionsEndpoint = defineEndpoint({
  id: 'listHttpSessions',
  tag: 'Server sessions',
  method: 'GET',
  path,
  summary: 'List open sessions over HTTP',
  description:
    'Lists the sessions of users who are logged in over HTTP, the oldest first. A session belongs to no peer: all of them serve it.',
  authentication: { kind: 'bearer', permission: 'sessions:read', ofActor: true },
  query: z.strictObject({
    ...sessionFilters,
    ...actorFilter,
    peerName: soundTextSchema.optional().describe('Only logins on this peer').meta({ example: 'peer1' }),
    serverName: soundTextSchema.optional().describe('Only logins on this server').meta({ example: 'http-server' }),
    ...maxItemShape('sessions'),
  }),
  responses: {
    200: {
      description: 'The open sessions',
      body: {
        kind: 'json',
        schema: z
          .object({
            totalCount: z
              .int()
              .min(0)
              .describe('Number of matching sessions; beyond `maxItem` with those that have run out in the last minute')
              .meta({ example: 1 }),
            sessions: z.array(httpSessionSchema).describe('The requested sessions'),
          })
          .meta({ id: 'HttpSessionList' }),
      },
    },
  },
  errors: [],
});

/** Extension of the interface: ends a session over HTTP. */
export const endHttpSessionEndpoint = defineEndpoint({
  id: 'endHttpSession',
  tag: 'Server sessions',
  method: 'DELETE',
  path: `${path}/:sessionId`,
  summary: 'End a session over HTTP',
  description:
    'From the response on, every peer refuses the session: its client has to log in again. Freeze the user to prevent that.',
  authentication: { kind: 'bearer', permission: 'sessions:delete', ofActor: true },
  params: z.strictObject({
    sessionId: z
      .uuid({ error: 'must be the id of a session' })
      .describe('Id of the session, as the list shows it')
      .meta({ example: '0195a1c2-7b1e-4f00-8d3c-2a9d1f6b4c10' }),
  }),
  responses: {
    200: { description: 'The session that was ended', body: { kind: 'json', schema: httpSessionSchema } },
  },
  errors: ['session_unknown'],
});
