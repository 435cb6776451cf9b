import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';

/** Extension of the interface: who is logged in. Pages cannot read the cookies of the login. */
export const findOwnAccountEndpoint = defineEndpoint({
  id: 'findOwnAccount',
  tag: 'Files: account',
  method: 'GET',
  path: '/2.0/account',
  summary: 'Read who you are',
  description: 'The user of the login session.',
  authentication: { kind: 'login-session' },
  responses: {
    200: {
      description: 'The account',
      body: {
        kind: 'json',
        schema: z
          .object({ userName: z.string().describe('Your user name').meta({ example: 'acme' }) })
          .meta({ id: 'OwnAccount' }),
      },
    },
  },
  errors: [],
});
