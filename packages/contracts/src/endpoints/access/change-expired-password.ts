import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import {
  attemptedUser,
  newPasswordSchema,
  presentPassword,
  secondFactorCode,
  secondFactorErrors,
} from './credentials.ts';

/** Change a password that no login is possible with any more. */
export const changeExpiredPasswordEndpoint = defineEndpoint({
  id: 'changeExpiredPassword',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/expired-password',
  summary: 'Change a password without a login',
  description:
    'For a manager user whose login is refused with `password_change_required`: the present password is proof enough. ' +
    'Ends every login of the user. Wrong passwords count as failed logins.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        username: attemptedUser('Name of a manager user', 'admin'),
        currentPassword: presentPassword('The present password', 'admin-demo'),
        newPassword: newPasswordSchema,
        code: secondFactorCode.optional(),
      })
      .meta({ id: 'ExpiredPasswordChange' }),
  },
  responses: { 204: { description: 'The password was changed: log in with it', body: { kind: 'none' } } },
  errors: ['invalid_credentials', 'too_many_requests', 'password_refused', ...secondFactorErrors],
});
