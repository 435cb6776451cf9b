import { z } from 'zod';
import { fewTextsBytes } from '../body-limits.ts';
import { defineEndpoint } from '../endpoint.ts';
import { tokenPairSchema } from './token-pair.ts';

const path = '/platform-application/api/v1/auth/oidc';
const tag = 'Access';

/** Begin a login with the outside issuer in a browser. */
export const beginOidcLoginEndpoint = defineEndpoint({
  id: 'beginOidcLogin',
  tag,
  method: 'GET',
  path: `${path}/login`,
  summary: 'Log in with the issuer of OpenID Connect, in a browser',
  description:
    'Where `OIDC_ISSUER` is set. Sends the browser to the issuer (authorization code with PKCE), with a cookie that binds the login to it for ten minutes.',
  authentication: { kind: 'none' },
  responses: {
    302: {
      description: 'The address at the issuer',
      body: { kind: 'none' },
      headers: z.object({ location: z.string().describe('Where the user logs in') }),
    },
  },
  errors: ['oidc_login_refused'],
});

const part = z.string().max(4_096);

/** The parameters with which the issuer sends a browser back. */
export const oidcCallbackSchema = z.object({
  state: part.describe('The login that has begun').meta({ example: 'x8Zk0Qm4v1' }),
  code: part.optional().describe('What the issuer gives for the ID token').meta({ example: 'SplxlOBeZQQYbYS6WxSbIA' }),
  iss: part.optional().describe('The issuer (RFC 9207)').meta({ example: 'https://login.example.org' }),
  error: part.optional().describe('Why the issuer has refused').meta({ example: 'access_denied' }),
  error_description: part.optional().describe('The same in words').meta({ example: 'The user has cancelled' }),
});

/** End a login with the outside issuer in a browser. */
export const finishOidcLoginEndpoint = defineEndpoint({
  id: 'finishOidcLogin',
  tag,
  method: 'GET',
  path: `${path}/callback`,
  summary: 'The address to which the issuer of OpenID Connect sends browsers back',
  description:
    'Returns the tokens of the login. The user has the roles of the groups in the ID token, for as long as `OIDC_SESSION_SECONDS` says.',
  authentication: { kind: 'none' },
  query: oidcCallbackSchema,
  responses: {
    200: { description: 'The tokens', body: { kind: 'json', schema: tokenPairSchema } },
    302: {
      description:
        'The console has begun the login: it ends it with the parameters, which follow the `#` of this address',
      body: { kind: 'none' },
      headers: z.object({ location: z.string().describe('The console') }),
    },
  },
  errors: ['oidc_login_refused', 'too_many_requests'],
});

const deviceCode = z
  .string()
  .min(1)
  .max(4_096)
  .describe('Proves who has begun the login; keep it secret')
  .meta({ example: 'GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS' });

/** Begin a login with the outside issuer on another device. */
export const beginOidcDeviceLoginEndpoint = defineEndpoint({
  id: 'beginOidcDeviceLogin',
  tag,
  method: 'POST',
  path: `${path}/device`,
  summary: 'Log in with the issuer of OpenID Connect, on another device',
  description:
    'Where `OIDC_ISSUER` is set (RFC 8628): show the address and the code to the user, and ask for the tokens until the user has logged in there. ' +
    'What was begun counts as failed logins of the address until a login there succeeds.',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'Where the user logs in',
      body: {
        kind: 'json',
        schema: z
          .object({
            deviceCode,
            userCode: z.string().describe('What the user types in there').meta({ example: 'WDJB-MJHT' }),
            verificationUri: z.string().describe('Where').meta({ example: 'https://login.example.org/device' }),
            verificationUriComplete: z
              .string()
              .optional()
              .describe('The same with the code')
              .meta({ example: 'https://login.example.org/device?user_code=WDJB-MJHT' }),
            expiresIn: z.number().describe('Seconds that this is possible').meta({ example: 600 }),
            interval: z.number().describe('Seconds between two requests for the tokens').meta({ example: 5 }),
          })
          .meta({ id: 'DeviceLogin' }),
      },
    },
  },
  errors: ['foreign_page_refused', 'oidc_login_refused', 'too_many_requests'],
});

/** End a login with the outside issuer on another device. */
export const finishOidcDeviceLoginEndpoint = defineEndpoint({
  id: 'finishOidcDeviceLogin',
  tag,
  method: 'POST',
  path: `${path}/device/token`,
  summary: 'Ask for the tokens of a login on another device',
  authentication: { kind: 'none' },
  body: { kind: 'json', limitBytes: fewTextsBytes, schema: z.object({ deviceCode }).meta({ id: 'DeviceLoginEnd' }) },
  responses: {
    200: { description: 'The tokens', body: { kind: 'json', schema: tokenPairSchema } },
    202: {
      description: 'The user has not decided yet',
      body: {
        kind: 'json',
        schema: z.object({
          slowDown: z.boolean().describe('Whether to wait five seconds longer each time').meta({ example: false }),
        }),
      },
    },
  },
  errors: ['foreign_page_refused', 'oidc_login_refused', 'too_many_requests'],
});
