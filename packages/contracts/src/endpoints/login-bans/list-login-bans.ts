import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { loginBanSchema } from './login-ban.ts';

/** The bans in force, on all gateways. */
export const listLoginBansEndpoint = defineEndpoint({
  id: 'listLoginBans',
  tag: 'Login bans',
  method: 'GET',
  path: '/platform-application/api/v1/infrastructure/login-bans',
  summary: 'List login bans',
  description: 'Lists the bans after too many failed logins over any protocol, the one that ends first at the top.',
  authentication: { kind: 'bearer', permission: 'bans:read' },
  query: z.strictObject({}),
  responses: {
    200: {
      description: 'The bans in force',
      body: { kind: 'json', schema: z.object({ bans: z.array(loginBanSchema).describe('The bans in force') }) },
    },
  },
  errors: [],
});
