import { z } from 'zod';
import { permissionSchema } from '../../../values/permission.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { elementPathSchema } from '../shapes/element-path.ts';

/** Extension of the interface: what the user may do at a path. */
export const readPermissionsEndpoint = defineEndpoint({
  id: 'readPermissions',
  tag: 'Files: folders',
  method: 'GET',
  path: '/2.0/permissions{/*path}',
  summary: 'Read what may be done at a path',
  description:
    'The permissions of the user at this path, by the rules that the requests for it are checked with. The answer does not depend on ' +
    'whether something is there.',
  authentication: { kind: 'login-session' },
  params: elementPathSchema,
  responses: {
    200: {
      description: 'The permissions',
      body: {
        kind: 'json',
        schema: z
          .object({
            path: z.string().describe('Virtual path').meta({ example: '/inbox' }),
            permissions: z
              .array(permissionSchema)
              .describe('What the user may do there')
              .meta({ example: ['list', 'upload'] }),
          })
          .meta({ id: 'PathPermissions' }),
      },
    },
  },
  errors: ['connection_contract_missing'],
  invalidRequestCode: 'file_request_invalid',
});
