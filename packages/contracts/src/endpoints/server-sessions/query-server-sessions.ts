import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { serverSessionSchema, sessionServerShape } from './server-session.ts';

const sortSchema = z
  .string()
  .transform((sort) => sort.toUpperCase())
  .pipe(z.enum(['ASC', 'DESC'], { error: 'is ASC or DESC' }))
  .default('ASC')
  .describe('Order by the time the session opened: ASC (the default) or DESC, in any case')
  .meta({ example: 'asc' });

/** A1: the open sessions of a server on a peer. */
export const queryServerSessionsEndpoint = defineEndpoint({
  id: 'queryServerSessions',
  tag: 'Server sessions',
  method: 'POST',
  path: '/platform-application/api/v1/infrastructure/clusters/server-sessions/query',
  summary: 'Query open sessions',
  description: 'Lists the open SFTP sessions of a server on a peer of a cluster. Any peer can answer for any other.',
  authentication: { kind: 'bearer', permission: 'sessions:read', ofActor: true },
  // Every invalid request is answered with 400 here, including one with another media type.
  invalidRequestCode: 'validation_failed',
  repeatable: true,
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z.object({
      ...sessionServerShape,
      maxItem: z.int().min(1).max(100_000).default(100).describe('Maximum number of sessions').meta({ example: 100 }),
      sort: sortSchema,
    }),
  },
  responses: {
    200: {
      description: 'The open sessions',
      body: { kind: 'json', schema: z.array(serverSessionSchema) },
    },
  },
  errors: ['cluster_unknown', 'peer_unknown', 'server_unknown'],
});
