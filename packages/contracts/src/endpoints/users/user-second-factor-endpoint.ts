import { z } from 'zod';
import { userNameSchema } from '../../values/user-name.ts';
import { userSecondFactorSchema } from '../access/second-factor-shapes.ts';
import { defineEndpoint } from '../endpoint.ts';

const path = '/platform-application/api/v1/users/:userName/second-factor';
const params = z.object({
  userName: userNameSchema.describe('A user of an actor, in any Unicode form').meta({ example: 'acme' }),
});

/** Show whether a user of an actor has a second factor. */
export const findUserSecondFactorEndpoint = defineEndpoint({
  id: 'findUserSecondFactor',
  tag: 'Configuration',
  method: 'GET',
  path,
  summary: 'Show whether a user has a second factor',
  authentication: { kind: 'bearer', permission: 'configuration:read', ofActor: true },
  params,
  responses: {
    200: { description: 'Whether the user has one', body: { kind: 'json', schema: userSecondFactorSchema } },
  },
  errors: ['user_unknown'],
});

/** Remove the second factor of a user of an actor. */
export const resetUserSecondFactorEndpoint = defineEndpoint({
  id: 'resetUserSecondFactor',
  tag: 'Configuration',
  method: 'DELETE',
  path,
  summary: 'Remove the second factor of a user',
  description:
    'For a user who has lost the app and the recovery codes. The audit log has a record of it (`AUD0093A`). If the account policy demands a ' +
    'second factor, the user sets up another one at the next login.',
  authentication: { kind: 'bearer', permission: 'configuration:delete', ofActor: true },
  params,
  responses: { 204: { description: 'It was removed', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'second_factor_absent', status: 204 },
  errors: ['user_unknown', 'second_factor_absent'],
});
