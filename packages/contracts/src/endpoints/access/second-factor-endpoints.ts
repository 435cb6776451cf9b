import { z } from 'zod';
import { attemptedUserNameSchema } from '../../values/user-name.ts';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { attemptedUser, presentPassword, secondFactorCode, secondFactorErrors } from './credentials.ts';
import { enrolmentSchema, recoveryCodes, secondFactorSchema, userSecondFactorSchema } from './second-factor-shapes.ts';

const path = '/platform-application/api/v1/auth/second-factor';
const tag = 'Access';

const credentials = {
  username: attemptedUser('Name of a manager user', 'admin'),
  password: presentPassword('Password', 'admin-demo'),
};

const withCode = {
  kind: 'json',
  limitBytes: fewTextsBytes,
  schema: z.object({ ...credentials, code: secondFactorCode.optional() }).meta({ id: 'SecondFactorCredentials' }),
} as const;

const refusals = ['invalid_credentials', 'too_many_requests', 'password_change_required'] as const;

/** Show the caller's second factor. */
export const findSecondFactorEndpoint = defineEndpoint({
  id: 'findSecondFactor',
  tag,
  method: 'GET',
  path,
  summary: 'Show your second factor',
  authentication: { kind: 'bearer' },
  responses: {
    200: {
      description: 'Whether you have one',
      body: {
        kind: 'json',
        schema: secondFactorSchema,
      },
    },
  },
  errors: [],
});

/** Begin to set up a second factor. */
export const beginSecondFactorEndpoint = defineEndpoint({
  id: 'beginSecondFactor',
  tag,
  method: 'POST',
  path,
  summary: 'Begin to set up a second factor',
  description:
    'With the password, so that it is possible when a login is refused with `second_factor_setup_required`. The secret is in this ' +
    'response only. Nothing changes until a code confirms it; another call makes another secret. Wrong passwords count as failed logins.',
  authentication: { kind: 'none' },
  body: { kind: 'json', limitBytes: fewTextsBytes, schema: z.object(credentials).meta({ id: 'PasswordCredentials' }) },
  responses: {
    201: {
      description: 'The secret, for an authenticator app (TOTP, RFC 6238)',
      body: {
        kind: 'json',
        schema: enrolmentSchema,
      },
    },
  },
  errors: [...refusals, 'second_factor_exists'],
});

/** Confirm a second factor. */
export const confirmSecondFactorEndpoint = defineEndpoint({
  id: 'confirmSecondFactor',
  tag,
  method: 'POST',
  path: `${path}/confirm`,
  summary: 'Confirm a second factor with its first code',
  description: 'From now on, logins need a code. Ends every login of the user. Wrong codes count as failed logins.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z.object({ ...credentials, code: secondFactorCode }).meta({ id: 'SecondFactorConfirmation' }),
  },
  responses: { 200: { description: 'The recovery codes', body: recoveryCodes } },
  errors: [...refusals, 'second_factor_exists', 'second_factor_refused'],
});

/** Replace the recovery codes. */
export const renewRecoveryCodesEndpoint = defineEndpoint({
  id: 'renewRecoveryCodes',
  tag,
  method: 'POST',
  path: `${path}/recovery-codes`,
  summary: 'Replace your recovery codes',
  description: 'The former ones are not valid any longer. It needs the password and a code.',
  authentication: { kind: 'none' },
  body: withCode,
  responses: { 200: { description: 'The new codes', body: recoveryCodes } },
  errors: [...refusals, ...secondFactorErrors, 'second_factor_absent'],
});

/** Remove one's own second factor. */
export const removeSecondFactorEndpoint = defineEndpoint({
  id: 'removeSecondFactor',
  tag,
  method: 'POST',
  path: `${path}/remove`,
  summary: 'Remove your second factor',
  description: 'It needs the password and a code. If the account policy demands a second factor, set up another one.',
  authentication: { kind: 'none' },
  body: withCode,
  responses: { 204: { description: 'It was removed', body: { kind: 'none' } } },
  errors: [...refusals, ...secondFactorErrors, 'second_factor_absent'],
});

const ofManagerUser = '/platform-application/api/v1/manager-users/:name/second-factor';
const managerUser = z.object({
  name: attemptedUserNameSchema.describe('Name of a manager user').meta({ example: 'admin' }),
});

/** Show whether a manager user has a second factor. */
export const findManagerSecondFactorEndpoint = defineEndpoint({
  id: 'findManagerSecondFactor',
  tag,
  method: 'GET',
  path: ofManagerUser,
  summary: 'Show whether a manager user has a second factor',
  authentication: { kind: 'bearer', permission: 'identities:read' },
  params: managerUser,
  responses: {
    200: { description: 'Whether the user has one', body: { kind: 'json', schema: userSecondFactorSchema } },
  },
  errors: ['entity_unknown'],
});

/** Remove the second factor of a manager user. */
export const resetSecondFactorEndpoint = defineEndpoint({
  id: 'resetSecondFactor',
  tag,
  method: 'DELETE',
  path: ofManagerUser,
  summary: 'Remove the second factor of a manager user',
  description:
    'For a user who has lost the app and the recovery codes. Only for users who have no more rights than you, and neither for ' +
    'your own user, whose second factor is removed with a code, nor with an API key. ' +
    'If the account policy demands a second factor, the user sets up another one at the next login.',
  authentication: { kind: 'bearer', permission: 'identities:delete' },
  params: managerUser,
  responses: { 204: { description: 'It was removed', body: { kind: 'none' } } },
  alreadyDeleted: { code: 'second_factor_absent', status: 204 },
  errors: ['entity_unknown', 'second_factor_absent', 'not_permitted'],
});
