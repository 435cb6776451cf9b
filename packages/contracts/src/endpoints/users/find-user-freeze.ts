import { defineEndpoint } from '../endpoint.ts';
import { frozenUserParamsSchema, userFreezeSchema } from './user-freeze.ts';

/** Get whether a user is frozen. */
export const findUserFreezeEndpoint = defineEndpoint({
  id: 'findUserFreeze',
  tag: 'Users',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/users/:userName/freeze',
  summary: 'Get whether a user is frozen',
  description: 'With the time and the administrator who froze the user.',
  authentication: { kind: 'bearer', permission: 'freezes:read', ofActor: true },
  params: frozenUserParamsSchema,
  responses: {
    200: { description: 'The current state', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
