import { defineEndpoint } from '../endpoint.ts';
import { frozenUserParamsSchema, userFreezeSchema } from './user-freeze.ts';

/** Ask whether a user is frozen. */
export const findUserFreezeEndpoint = defineEndpoint({
  id: 'findUserFreeze',
  tag: 'Users',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/users/:userName/freeze',
  summary: 'Ask whether a user is frozen',
  description: 'Tells since when, and by whom.',
  authentication: { kind: 'bearer', resource: 'CONFIG', access: 'read' },
  params: frozenUserParamsSchema,
  responses: {
    200: { description: 'How it is now', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
