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
    'Lets the user in again, and lifts the bans of the user alone, which its programs may have earned meanwhile; not those of addresses. That is no error for a user who is not frozen.',
  authentication: { kind: 'bearer', resource: 'CONFIG', access: 'write' },
  params: frozenUserParamsSchema,
  responses: {
    200: { description: 'How it is now', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
