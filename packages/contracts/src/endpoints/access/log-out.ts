import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';

/** End a login. */
export const logOutEndpoint = defineEndpoint({
  id: 'logOut',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/logout',
  summary: 'Log out',
  description: 'The refresh token becomes invalid at once, and the access tokens of the login within a second.',
  authentication: { kind: 'none' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        refreshToken: z
          .string()
          .min(1)
          .max(512)
          .describe('The refresh token of the login to end')
          .meta({ example: 'q3Zk0Qm4v1xX0mC2cJ2y9w5b7n8a6s4d' }),
      })
      .meta({ id: 'Logout' }),
  },
  responses: { 204: { description: 'Logged out', body: { kind: 'none' } } },
  errors: ['refresh_token_invalid'],
});
