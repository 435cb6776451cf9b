import { z } from 'zod';
import { managerUserSchema } from '../../configuration/user-configuration.ts';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { presentPassword, secondFactorCode, secondFactorErrors } from './credentials.ts';

/** Link the caller's own user with an outside issuer. */
export const linkOwnUserEndpoint = defineEndpoint({
  id: 'linkOwnUser',
  tag: 'Access',
  method: 'POST',
  path: '/platform-application/api/v1/auth/oidc/link',
  summary: 'Link your user with an issuer of OpenID Connect',
  description:
    'Changes `oidc` of your own manager user, which no other endpoint does: it needs the password, and a code if you have a second factor. ' +
    'Wrong ones count as failed logins. Not with an API key.',
  authentication: { kind: 'bearer', permission: 'identities:write' },
  body: {
    kind: 'json',
    limitBytes: fewTextsBytes,
    schema: z
      .object({
        currentPassword: presentPassword('Your password', 'admin-demo'),
        code: secondFactorCode.optional(),
        oidc: managerUserSchema.shape.oidc
          .unwrap()
          .describe('Who you are at the issuer')
          .meta({
            example: { issuer: 'https://login.example.org/realms/example', subject: '9d3c2f6e-4b1e-4c55-8a44' },
          }),
      })
      .meta({ id: 'OwnUserLink' }),
  },
  responses: { 204: { description: 'Your user is linked', body: { kind: 'none' } } },
  errors: [
    'invalid_credentials',
    'too_many_requests',
    ...secondFactorErrors,
    'not_permitted',
    'entity_unknown',
    'entity_owned',
    'entity_in_use',
  ],
});
