import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { newPasswordSchema, presentPassword, secondFactorCode, secondFactorErrors } from './credentials.ts';

/** Change the caller's password. */
export const changePasswordEndpoint = defineEndpoint({
  id: 'changePassword',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/password',
  summary: 'Change your password',
  description: 'Ends every login of the user: log in again with the new password. Not with an API key.',
  authentication: { kind: 'bearer' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        currentPassword: presentPassword('The current password', 'admin-demo'),
        newPassword: newPasswordSchema,
        code: secondFactorCode.optional(),
      })
      .meta({ id: 'PasswordChange' }),
  },
  responses: { 204: { description: 'The password was changed', body: { kind: 'none' } } },
  errors: ['invalid_credentials', 'too_many_requests', 'password_refused', 'not_permitted', ...secondFactorErrors],
});
