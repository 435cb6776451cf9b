import { z } from 'zod';
import { attemptedUserNameSchema } from '../../values/user-name.ts';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { attemptedUser, newPasswordSchema } from './credentials.ts';

/** Set the first password of a manager user. */
export const setFirstPasswordEndpoint = defineEndpoint({
  id: 'setFirstPassword',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/first-password',
  summary: 'Set a first password',
  description:
    'For a manager user without a password in the configuration. The code is printed by `waybill apply`, or issued by an administrator; it works once, for 24 hours. Wrong codes count as failed logins.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        username: attemptedUser('Name of a manager user', 'admin'),
        code: z.string().min(1).max(128).describe('The code').meta({ example: 'A1B2C-D3E4F-G5H6J-K7M8N-P9Q0R' }),
        newPassword: newPasswordSchema,
      })
      .meta({ id: 'FirstPassword' }),
  },
  responses: { 204: { description: 'The password was set: log in with it', body: { kind: 'none' } } },
  errors: ['invalid_credentials', 'too_many_requests', 'password_refused'],
});

/** Issue a code for the first password of a manager user. */
export const issueFirstPasswordCodeEndpoint = defineEndpoint({
  id: 'issueFirstPasswordCode',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/manager-users/:name/first-password-code',
  summary: 'Issue a code for a first password',
  description:
    'For an enabled manager user without a password, such as one whose code was lost. Earlier codes no longer work. ' +
    'Only for users who have no more rights than you, and neither for your own user nor with an API key. The code is shown only here.',
  authentication: { kind: 'bearer', permission: 'identities:write' },
  params: z.object({
    name: attemptedUserNameSchema.describe('Name of a manager user').meta({ example: 'lena' }),
  }),
  responses: {
    201: {
      description: 'The code',
      body: {
        kind: 'json',
        schema: z
          .object({
            userName: z.string(),
            code: z.string().meta({ example: 'A1B2C-D3E4F-G5H6J-K7M8N-P9Q0R' }),
            hours: z.int().describe('For how long it works'),
          })
          .meta({ id: 'FirstPasswordCode' }),
      },
    },
  },
  errors: ['entity_unknown', 'not_permitted', 'first_password_refused'],
});
