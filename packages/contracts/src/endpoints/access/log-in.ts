import { z } from 'zod';
import { soundTextSchema } from '../../values/sound-text.ts';
import { attemptedUserName } from '../../values/user-name.ts';
import { defineEndpoint } from '../endpoint.ts';
import { tokenPairSchema } from './token-pair.ts';

/** Log in as a manager user. */
export const logInEndpoint = defineEndpoint({
  id: 'logIn',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/login',
  summary: 'Log in',
  description:
    'After repeated failures of a user from one address, further attempts are refused with 429 for some time.',
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
        password: z.string().min(1).max(1_024).describe('Password').meta({ example: 'admin-demo' }),
      })
      .meta({ id: 'Login' }),
  },
  responses: { 200: { description: 'The tokens', body: { kind: 'json', schema: tokenPairSchema } } },
  errors: ['invalid_credentials', 'too_many_requests', 'password_change_required'],
});
