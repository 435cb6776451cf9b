import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { defineEndpoint } from '../endpoint.ts';
import { serverSessionSchema, sessionServerShape } from './server-session.ts';

/** A2: end an open session. */
export const terminateServerSessionEndpoint = defineEndpoint({
  id: 'terminateServerSession',
  tag: 'Server sessions',
  method: 'DELETE',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions',
  summary: 'Terminate a session',
  description: 'Cuts the client off. Any peer reaches every peer; the answer comes when it is done.',
  authentication: { kind: 'bearer', resource: 'CLUSTERS', access: 'write' },
  // Whatever is wrong with a request is 400 here, its media type too.
  invalidRequestCode: 'validation_failed',
  body: {
    kind: 'json',
    schema: z.object({
      ...sessionServerShape,
      sessionId: soundTextSchema.min(1).describe('The session, as the query shows it'),
    }),
  },
  responses: {
    200: { description: 'The session that was ended', body: { kind: 'json', schema: serverSessionSchema } },
  },
  errors: ['cluster_unknown', 'peer_unknown', 'server_unknown', 'session_unknown', 'peer_not_answering'],
});
