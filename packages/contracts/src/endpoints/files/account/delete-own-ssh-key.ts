import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { deletedResult, fileResultSchema } from '../shapes/file-result.ts';

/** Extension of the interface: delete an SSH key that the caller has added. */
export const deleteOwnSshKeyEndpoint = defineEndpoint({
  id: 'deleteOwnSshKey',
  tag: 'Files: account',
  method: 'DELETE',
  path: '/2.0/account/ssh-keys/:id',
  summary: 'Delete an SSH key',
  description: 'SFTP sessions that were opened with it end within a second. Keys of the configuration stay.',
  authentication: { kind: 'login-session' },
  params: z.object({
    id: z
      .string()
      .regex(/^[\w-]{43}$/u, 'must be the id of a key')
      .describe('The id of the key, as in the list')
      .meta({ example: 'uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg' }),
  }),
  responses: { 200: { description: 'Deleted', body: { kind: 'json', schema: fileResultSchema } } },
  alreadyDeleted: { code: 'ssh_key_unknown', status: 200, body: deletedResult },
  errors: ['ssh_key_unknown', 'ssh_key_fixed'],
});
