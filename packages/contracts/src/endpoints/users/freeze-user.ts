import { defineEndpoint } from '../endpoint.ts';
import { frozenUserParamsSchema, userFreezeSchema } from './user-freeze.ts';

/** Freeze a user. */
export const freezeUserEndpoint = defineEndpoint({
  id: 'freezeUser',
  tag: 'Users',
  method: 'PUT',
  path: '/platform-application/api/v1/infrastructure/users/:userName/freeze',
  summary: 'Freeze a user',
  description:
    'Keeps the user out from now on: no login over SFTP or HTTP succeeds, open sessions end within a second on all peers, and what is being uploaded can be resumed once the user is thawed. It lasts until then, whatever configuration is applied.',
  authentication: { kind: 'bearer', resource: 'CONFIG', access: 'write' },
  params: frozenUserParamsSchema,
  responses: {
    200: { description: 'How it is now', body: { kind: 'json', schema: userFreezeSchema } },
  },
  errors: ['user_unknown'],
});
