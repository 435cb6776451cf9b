import { z } from 'zod';
import { attemptedUserName } from '../../../values/user-name.ts';
import { secondFactorCode, secondFactorErrors } from '../../access/credentials.ts';
import { defineEndpoint } from '../../endpoint.ts';

/** D1: log in with a name and a password. */
export const openLoginSessionEndpoint = defineEndpoint({
  id: 'openLoginSession',
  tag: 'Files: login sessions',
  method: 'POST',
  path: '/2.0/login/basic',
  summary: 'Log in',
  description:
    'Sets the cookies `sp-http-usr` and `sp-http-ses`, which every other endpoint requires. They are valid on every peer of the ' +
    'cluster and expire after 30 minutes without a request or a running transfer. ' +
    'A user with a second factor who sends no `code` is refused with the code `second_factor_required`: send everything again with it. ' +
    'A login that a browser sends for a page of another site is refused.',
  authentication: { kind: 'none' },
  body: {
    kind: 'form',
    schema: z.object({
      username: z.string().min(1).transform(attemptedUserName).describe('Name of the user').meta({ example: 'acme' }),
      password: z.string().min(1).describe('Password of the user').meta({ example: 'acme-demo' }),
      code: secondFactorCode.optional(),
    }),
  },
  responses: { 200: { description: 'Logged in; the cookies are set', body: { kind: 'none' } } },
  errors: [
    'foreign_page_refused',
    'invalid_credentials',
    'too_many_requests',
    'password_change_required',
    ...secondFactorErrors,
    'second_factor_setup_required',
  ],
  invalidRequestCode: 'missing_credentials',
});
