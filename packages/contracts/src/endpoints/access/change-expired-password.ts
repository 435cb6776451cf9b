import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { attemptedUserName } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';

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
    schema: z
      .object({
        username: soundTextSchema
          .min(1)
          .max(255)
          .transform(attemptedUserName)
          .describe('Name of a manager user')
          .meta({ example: 'admin' }),
        currentPassword: z.string().min(1).max(1_024).describe('The present password').meta({ example: 'admin-demo' }),
        newPassword: z
          .string()
          .min(1)
          .max(1_024)
          .describe('The new password, which the account policy must allow')
          .meta({ example: 'correct horse battery' }),
      })
      .meta({ id: 'ExpiredPasswordChange' }),
  },
  responses: { 204: { description: 'The password was changed: log in with it', body: { kind: 'none' } } },
  errors: ['invalid_credentials', 'too_many_requests', 'password_refused'],
});
