import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { tokenPairSchema } from './token-pair.ts';

/** Exchange a refresh token for a new pair of tokens. */
export const refreshLoginEndpoint = defineEndpoint({
  id: 'refreshLogin',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/refresh',
  summary: 'Renew the tokens',
  description:
    'A refresh token can be used once. A second use ends its login, because one of the two callers must have stolen the token.',
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
          .describe('The token from the login or from the last refresh')
          .meta({ example: 'q3Zk0Qm4v1xX0mC2cJ2y9w5b7n8a6s4d' }),
      })
      .meta({ id: 'Refresh' }),
  },
  responses: { 200: { description: 'The new tokens', body: { kind: 'json', schema: tokenPairSchema } } },
  errors: ['refresh_token_invalid', 'password_change_required', 'second_factor_setup_required'],
});
