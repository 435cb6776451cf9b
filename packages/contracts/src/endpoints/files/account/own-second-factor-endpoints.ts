import { z } from 'zod';
import { attemptedUser, presentPassword, secondFactorCode, secondFactorErrors } from '../../access/credentials.ts';
import { enrolmentSchema, recoveryCodes, secondFactorSchema } from '../../access/second-factor-shapes.ts';
import { fewTextsBytes } from '../../body-limits.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { fileResultSchema } from '../shapes/file-result.ts';

const path = '/2.0/account/second-factor';
const tag = 'Files: account';

const credentials = {
  username: attemptedUser('Name of the user', 'acme'),
  password: presentPassword('Password of the user', 'acme-demo'),
};

const withCode = {
  kind: 'json',
  limitBytes: fewTextsBytes,
  schema: z
    .strictObject({ ...credentials, code: secondFactorCode.optional() })
    .meta({ id: 'OwnSecondFactorCredentials' }),
} as const;

const refusals = ['invalid_credentials', 'too_many_requests', 'password_change_required'] as const;

/** Extension of the interface: the second factor of the caller. */
export const findOwnSecondFactorEndpoint = defineEndpoint({
  id: 'findOwnSecondFactor',
  tag,
  method: 'GET',
  path,
  summary: 'Show your second factor',
  authentication: { kind: 'login-session' },
  responses: { 200: { description: 'Whether you have one', body: { kind: 'json', schema: secondFactorSchema } } },
  errors: [],
});

/** Extension of the interface: begin to set up a second factor. */
export const beginOwnSecondFactorEndpoint = defineEndpoint({
  id: 'beginOwnSecondFactor',
  tag,
  method: 'POST',
  path,
  summary: 'Begin to set up a second factor',
  description:
    'Needs no login session, because a login may be refused with `second_factor_setup_required`: the password is the proof. The secret ' +
    'is in this response only. Nothing changes until a code confirms it. Wrong passwords count as failed logins.',
  authentication: { kind: 'none' },
  body: { kind: 'json', limitBytes: fewTextsBytes, schema: z.strictObject(credentials).meta({ id: 'OwnPassword' }) },
  responses: {
    201: {
      description: 'The secret, for an authenticator app (TOTP, RFC 6238)',
      body: { kind: 'json', schema: enrolmentSchema },
    },
  },
  errors: [...refusals, 'second_factor_exists', 'second_factor_not_allowed'],
});

/** Extension of the interface: confirm a second factor. */
export const confirmOwnSecondFactorEndpoint = defineEndpoint({
  id: 'confirmOwnSecondFactor',
  tag,
  method: 'POST',
  path: `${path}/confirm`,
  summary: 'Confirm a second factor with its first code',
  description: 'From now on, logins with the password need a code. Open sessions go on.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z.strictObject({ ...credentials, code: secondFactorCode }).meta({ id: 'OwnSecondFactorConfirmation' }),
  },
  responses: { 200: { description: 'The recovery codes', body: recoveryCodes } },
  errors: [...refusals, 'second_factor_exists', 'second_factor_not_allowed', 'second_factor_refused'],
});

/** Extension of the interface: replace the recovery codes. */
export const renewOwnRecoveryCodesEndpoint = defineEndpoint({
  id: 'renewOwnRecoveryCodes',
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

/** Extension of the interface: remove the second factor. */
export const removeOwnSecondFactorEndpoint = defineEndpoint({
  id: 'removeOwnSecondFactor',
  tag,
  method: 'POST',
  path: `${path}/remove`,
  summary: 'Remove your second factor',
  description: 'It needs the password and a code. If the account policy demands a second factor, set up another one.',
  authentication: { kind: 'none' },
  body: withCode,
  responses: { 200: { description: 'It was removed', body: { kind: 'json', schema: fileResultSchema } } },
  errors: [...refusals, ...secondFactorErrors, 'second_factor_absent'],
});
