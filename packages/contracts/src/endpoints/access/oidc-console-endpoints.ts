import { z } from 'zod';
import { longTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { oidcCallbackSchema } from './oidc-endpoints.ts';
import { tokenPairSchema } from './token-pair.ts';

const path = '/platform-application/api/v1/auth/oidc/console';
const tag = 'Access';

/** Begin a login with the outside issuer from the console. */
export const beginOidcConsoleLoginEndpoint = defineEndpoint({
  id: 'beginOidcConsoleLogin',
  tag,
  method: 'POST',
  path,
  summary: 'Log in with the issuer of OpenID Connect, from the console',
  description:
    'As `GET auth/oidc/login`, for a page: the address is in the body, and the callback leads back to the console, which ends the login ' +
    'with `POST auth/oidc/console/session`.',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'Where the user logs in',
      body: {
        kind: 'json',
        schema: z
          .object({
            address: z
              .string()
              .describe('At the issuer')
              .meta({ example: 'https://login.example.org/auth?client_id=waybill&response_type=code' }),
          })
          .meta({ id: 'OidcConsoleLogin' }),
      },
    },
  },
  errors: ['foreign_page_refused', 'oidc_login_refused'],
});

/** End a login with the outside issuer in the console. */
export const finishOidcConsoleLoginEndpoint = defineEndpoint({
  id: 'finishOidcConsoleLogin',
  tag,
  method: 'POST',
  path: `${path}/session`,
  summary: 'End a login that the console has begun with the issuer of OpenID Connect',
  description:
    'With the parameters that the callback has received, and the cookie of the browser that has begun the login. They can be used once.',
  authentication: { kind: 'none' },
  body: { kind: 'json', limitBytes: longTextsBytes, schema: oidcCallbackSchema.meta({ id: 'OidcCallback' }) },
  responses: { 200: { description: 'The tokens', body: { kind: 'json', schema: tokenPairSchema } } },
  errors: ['foreign_page_refused', 'oidc_login_refused', 'too_many_requests'],
});
