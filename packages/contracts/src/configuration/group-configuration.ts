import { z } from 'zod';
import { descriptionSchema, plainNameSchema } from '../values/configured-names.ts';
import { expirySchema } from './expiry.ts';
import { loginNetworksSchema, sessionLimitSchema } from './user-configuration.ts';

/**
 * A group of users of an actor, with settings. Users name their groups. `enabled` and `expires` end what the group gives its
 * members; `networks` and `maxSessions` limit members that have no such setting themselves, whether or not the group has ended.
 */
export const groupSchema = z.strictObject({
  name: plainNameSchema,
  description: descriptionSchema,
  enabled: z
    .boolean()
    .default(true)
    .describe('If false, clauses and permissions that name the group give its members nothing'),
  expires: expirySchema
    .optional()
    .describe('The last day (UTC) on which the group gives its members something, or an instant; default: always'),
  networks: loginNetworksSchema
    .optional()
    .describe('The addresses and networks from which members without `networks` may log in; default: any'),
  maxSessions: sessionLimitSchema
    .optional()
    .describe(
      "Open SFTP sessions on one server of a member without `maxSessions`, not of all together; default: the server's `maxSessionsPerUser`",
    ),
});
