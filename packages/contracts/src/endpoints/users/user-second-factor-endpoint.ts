import { z } from 'zod';
import { userNameSchema } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';

/** Remove the second factor of a user of an actor. */
export const resetUserSecondFactorEndpoint = defineEndpoint({
  id: 'resetUserSecondFactor',
  tag: 'Configuration',
  method: 'DELETE',
  path: '/platform-application/api/v1/users/:userName/second-factor',
  summary: 'Remove the second factor of a user',
  description:
    'For a user who has lost the app and the recovery codes. The audit log has a record of it (`AUD0093A`). If the account policy demands a ' +
    'second factor, the user sets up another one at the next login.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params: z.object({
    userName: userNameSchema.describe('A user of an actor, in any Unicode form').meta({ example: 'acme' }),
  }),
  responses: { 204: { description: 'It was removed', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'second_factor_absent', status: 204 },
  errors: ['user_unknown', 'second_factor_absent'],
});
