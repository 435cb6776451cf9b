import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { serverSessionSchema, sessionServerShape } from './server-session.ts';

/** A2: end an open session. */
export const terminateServerSessionEndpoint = defineEndpoint({
  id: 'terminateServerSession',
  tag: 'Server sessions',
  method: 'DELETE',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions',
  summary: 'Terminate a session',
  description:
    'Disconnects the client. The request can be sent to any peer; the response is sent when the session has ended.',
  authentication: { kind: 'bearer', permission: 'sessions:delete', ofActor: true },
  // Every invalid request is answered with 400 here, including one with another media type.
  invalidRequestCode: 'validation_failed',
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z.object({
      ...sessionServerShape,
      sessionId: soundTextSchema.min(1).describe('Id of the session, as the query returns it'),
    }),
  },
  responses: {
    200: { description: 'The session that was ended', body: { kind: 'json', schema: serverSessionSchema } },
  },
  errors: ['cluster_unknown', 'peer_unknown', 'server_unknown', 'session_unknown', 'peer_not_answering'],
});
