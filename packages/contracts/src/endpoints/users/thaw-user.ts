import { defineEndpoint } from '../endpoint.ts';
import { frozenUserParamsSchema, userFreezeSchema } from './user-freeze.ts';

/** Thaw a user. */
export const thawUserEndpoint = defineEndpoint({
  id: 'thawUser',
  tag: 'Users',
  method: 'DELETE',
  path: '/platform-application/api/v1/infrastructure/users/:userName/freeze',
  summary: 'Thaw a user',
  description:
    'Unblocks the user, and lifts the bans of this user, which programs of the user may have caused meanwhile; bans of whole addresses stay. A user who is not frozen is not an error.',
  authentication: { kind: 'bearer', permission: 'freezes:write', ofActor: true },
  params: frozenUserParamsSchema,
  responses: {
    200: { description: 'The current state', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
