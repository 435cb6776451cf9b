import { z } from 'zod';
import { permissionNames } from '../../roles/permissions.ts';
import { defineEndpoint } from '../endpoint.ts';

/** What the caller may do, so that a program offers nothing else. */
export const readOwnPermissionsEndpoint = defineEndpoint({
  id: 'readOwnPermissions',
  tag: 'Access',
  method: 'GET',
  path: '/platform-application/api/v1/auth/permissions',
  summary: 'Show what you may do',
  description: 'The permissions of your roles as they are now; those of an API key if the request has one.',
  authentication: { kind: 'bearer' },
  responses: {
    200: {
      description: 'Your permissions',
      body: {
        kind: 'json',
        schema: z
          .object({
            userName: z.string().describe('The manager user').meta({ example: 'admin' }),
            permissions: z
              .array(
                z.object({
                  name: z.enum(permissionNames).describe('The permission').meta({ example: 'jobs:read' }),
                  actors: z
                    .array(z.string())
                    .nullable()
                    .describe('The actors to whose objects and jobs it is limited; null: it is not')
                    .meta({ example: ['acme'] }),
                }),
              )
              .describe('In the order of the documentation'),
          })
          .meta({ id: 'OwnPermissions' }),
      },
    },
  },
  errors: [],
});
