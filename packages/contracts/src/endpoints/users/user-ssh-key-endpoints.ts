import { z } from 'zod';
import { userNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { ownSshKeySchema } from './ssh-key.ts';

const path = '/platform-application/api/v1/users/:userName/ssh-keys';
const tag = 'Configuration';

const userSchema = z.object({
  userName: userNameSchema.describe('A user of an actor, in any Unicode form').meta({ example: 'acme' }),
});

const userKeySchema = ownSshKeySchema.meta({ id: 'UserSshKey' });

/** List the SSH keys of a user of an actor. */
export const listUserSshKeysEndpoint = defineEndpoint({
  id: 'listUserSshKeys',
  tag,
  method: 'GET',
  path,
  summary: 'List the SSH keys of a user',
  description: 'Those of the configuration first, then those that the user has added, oldest first.',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  params: userSchema,
  responses: {
    200: {
      description: 'The keys',
      body: { kind: 'json', schema: z.object({ keys: z.array(userKeySchema).describe('The keys') }) },
    },
  },
  errors: ['user_unknown'],
});

/** Delete an SSH key that a user of an actor has added. */
export const deleteUserSshKeyEndpoint = defineEndpoint({
  id: 'deleteUserSshKey',
  tag,
  method: 'DELETE',
  path: `${path}/:id`,
  summary: 'Delete an SSH key that a user has added',
  description:
    'SFTP sessions that were opened with it end within a second. Keys of the configuration are settings of the user. The audit ' +
    'log has a record of it (`AUD0057A`). The user can add it again: the account policy decides about that.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params: userSchema.extend({
    id: z
      .string()
      .regex(/^[\w-]{43}$/u, 'must be the id of a key')
      .describe('The id of the key, as in the list')
      .meta({ example: 'uNiVztksCsDhcc0u9e8BrDtDDGwqKY8XOzqjYPQdBGg' }),
  }),
  responses: { 204: { description: 'It is deleted', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'ssh_key_unknown', status: 204 },
  errors: ['user_unknown', 'ssh_key_unknown', 'ssh_key_fixed'],
});
