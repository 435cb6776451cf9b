import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { attemptedUser, presentPassword, secondFactorCode, secondFactorErrors } from './credentials.ts';
import { tokenPairSchema } from './token-pair.ts';

/** Log in as a manager user. */
export const logInEndpoint = defineEndpoint({
  id: 'logIn',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/login',
  summary: 'Log in',
  description:
    'After repeated failures of a user from one address, further attempts are refused with 429 for some time. ' +
    'A user with a second factor who sends no `code` is refused with `second_factor_required`: send everything again with it.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        username: attemptedUser('Name of a manager user', 'admin'),
        password: presentPassword('Password', 'admin-demo'),
        code: secondFactorCode.optional(),
      })
      .meta({ id: 'Login' }),
  },
  responses: { 200: { description: 'The tokens', body: { kind: 'json', schema: tokenPairSchema } } },
  errors: [
    'invalid_credentials',
    'too_many_requests',
    'password_change_required',
    ...secondFactorErrors,
    'second_factor_setup_required',
  ],
});
