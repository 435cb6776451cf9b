import { z } from 'zod';
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
    'For a manager user without a password in the configuration. The code is printed by `waybill apply`; it works once, for 24 hours. Wrong codes count as failed logins.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
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
