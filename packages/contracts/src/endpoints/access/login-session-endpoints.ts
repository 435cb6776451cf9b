import { z } from 'zod';
import { digitsAsNumber } from '../../values/digits-as-number.ts';
import { attemptedUserNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { pageSchema, pageShape } from '../list-page.ts';

const path = '/platform-application/api/v1/auth/sessions';
const tag = 'Access';

const sessionSchema = z
  .object({
    id: z.int().describe('Number of the session').meta({ example: 12 }),
    user: z.string().describe('The manager user').meta({ example: 'admin' }),
    address: z.string().nullable().describe('The address of the login; null: not known').meta({ example: '192.0.2.7' }),
    loggedInAt: z.iso.datetime().describe('When it began').meta({ example: '2026-03-02T05:00:00.000Z' }),
    renewedAt: z.iso
      .datetime()
      .nullable()
      .describe('When its tokens were renewed last; null: never')
      .meta({ example: '2026-03-02T05:14:00.000Z' }),
    expiresAt: z.iso.datetime().describe('When it ends').meta({ example: '2026-04-01T05:00:00.000Z' }),
    current: z.boolean().describe('Whether it is that of this request').meta({ example: true }),
  })
  .meta({ id: 'LoginSession' });

/** A login of a manager user that has not ended. */
export type LoginSessionView = z.infer<typeof sessionSchema>;

/** List the logins of manager users. */
export const listLoginSessionsEndpoint = defineEndpoint({
  id: 'listLoginSessions',
  tag,
  method: 'GET',
  path,
  summary: 'List sessions of the management interfaces',
  description:
    'Your own; with the permission `identities:read` those of all users, one page at a time. A session is a login that has not ended. An API key without the permission is refused.',
  authentication: { kind: 'bearer' },
  query: z.strictObject({
    user: attemptedUserNameSchema.optional().describe('Only those of this user').meta({ example: 'admin' }),
    ...pageShape('Sessions'),
  }),
  responses: {
    200: {
      description: 'A page of sessions, newest first',
      body: { kind: 'json', schema: pageSchema(sessionSchema, 'The sessions of this page') },
    },
  },
  errors: ['not_permitted'],
});

/** End a login of a manager user. */
export const revokeLoginSessionEndpoint = defineEndpoint({
  id: 'revokeLoginSession',
  tag,
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'End a session of the management interfaces',
  description:
    'One of your own; with the permission `identities:delete` any. Its refresh token is invalid at once, and its access tokens within a second. An API key without the permission is refused.',
  authentication: { kind: 'bearer' },
  params: z.object({
    id: z.preprocess(digitsAsNumber, z.int().min(1)).describe('Number of the session').meta({ example: 12 }),
  }),
  responses: { 204: { description: 'It has ended', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'entity_unknown', status: 204 },
  errors: ['entity_unknown', 'not_permitted'],
});
