import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { freezeReasonSchema, frozenUserParamsSchema, userFreezeSchema } from './user-freeze.ts';

/** Freeze a user. */
export const freezeUserEndpoint = defineEndpoint({
  id: 'freezeUser',
  tag: 'Users',
  method: 'PUT',
  path: '/platform-application/api/v1/infrastructure/users/:userName/freeze',
  summary: 'Freeze a user',
  description:
    'Blocks the user: logins over SFTP and HTTP fail, open sessions end within a second on all peers, and interrupted uploads can be resumed once the user is thawed. The freeze lasts until then, whatever configuration is applied. A user who is frozen already stays so, with the first reason.',
  authentication: { kind: 'bearer', permission: 'freezes:write', ofActor: true },
  params: frozenUserParamsSchema,
  query: z.strictObject({ reason: freezeReasonSchema }),
  responses: {
    200: { description: 'The current state', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
