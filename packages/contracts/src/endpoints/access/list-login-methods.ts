import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';

/** Tell a login form what it can offer. */
export const listLoginMethodsEndpoint = defineEndpoint({
  id: 'listLoginMethods',
  tag: 'Access',
  method: 'GET',
  path: '/platform-application/api/v1/auth/methods',
  summary: 'How manager users can log in',
  description: 'For login forms, before anybody is logged in.',
  authentication: { kind: 'none' },
  responses: {
    200: {
      description: 'The methods',
      body: {
        kind: 'json',
        schema: z
          .object({
            password: z.boolean().describe('Whether users log in with a password').meta({ example: true }),
            issuer: z
              .object({
                name: z
                  .string()
                  .describe('Its name for people: `OIDC_NAME`, or the host of the issuer')
                  .meta({ example: 'login.example.org' }),
              })
              .nullable()
              .describe('The issuer of OpenID Connect with which users can log in in a browser, if there is one'),
          })
          .meta({ id: 'LoginMethods' }),
      },
    },
  },
  errors: [],
});
