import { z } from 'zod';
import { protocolSchema } from '../../../values/protocol.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { deletedResult, fileResultSchema } from '../shapes/file-result.ts';

const path = '/2.0/account/sessions';

const ownSessionSchema = z
  .object({
    id: z.string().describe('Names the session in addresses').meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
    protocol: protocolSchema.describe('The protocol of the session').meta({ example: 'SFTP' }),
    openedAt: z.iso.datetime().describe('When you logged in, UTC').meta({ example: '2026-03-02T08:15:30.410Z' }),
    address: z.string().nullable().describe('The address of the login; null: not known').meta({ example: '192.0.2.7' }),
    client: z
      .string()
      .nullable()
      .describe('The software of the login; null: not known')
      .meta({ example: 'OpenSSH_9.2p1' }),
    current: z.boolean().describe('Whether it is that of this request').meta({ example: false }),
  })
  .meta({ id: 'OwnSession' });

/** Extension of the interface: the open sessions of the caller. */
export const listOwnSessionsEndpoint = defineEndpoint({
  id: 'listOwnSessions',
  tag: 'Files: account',
  method: 'GET',
  path,
  summary: 'List your open sessions',
  description: 'Over HTTP and SFTP, on all peers, newest first; the newest 1,000 if there are more.',
  authentication: { kind: 'login-session' },
  responses: {
    200: {
      description: 'The sessions',
      body: {
        kind: 'json',
        schema: z
          .object({ sessions: z.array(ownSessionSchema).describe('Your open sessions') })
          .meta({ id: 'OwnSessions' }),
      },
    },
  },
  errors: [],
});

/** Extension of the interface: end an open session of the caller. */
export const endOwnSessionEndpoint = defineEndpoint({
  id: 'endOwnSession',
  tag: 'Files: account',
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'End one of your sessions',
  description: 'Its client has to log in again. A session over HTTP ends at once, one over SFTP within a second.',
  authentication: { kind: 'login-session' },
  params: z.object({
    id: z
      .string()
      .regex(/^(?:[\dA-F]{128}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/u, 'must be the id of a session')
      .describe('The id of the session, as in the list')
      .meta({ example: '0195a1c2-7b1e-7f00-8d3c-2a9d1f6b4c10' }),
  }),
  responses: { 200: { description: 'It has ended, or ends now', body: { kind: 'json', schema: fileResultSchema } } },
  alreadyDeleted: { code: 'own_session_unknown', status: 200, body: deletedResult },
  errors: ['own_session_unknown', 'peer_not_answering'],
});
