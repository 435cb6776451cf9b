import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { loginBanSchema } from './login-ban.ts';

/** Ends the bans of an address. */
export const liftLoginBanEndpoint = defineEndpoint({
  id: 'liftLoginBan',
  tag: 'Login bans',
  method: 'DELETE',
  path: '/platform-application/api/v1/infrastructure/login-bans/:address',
  summary: 'Lift the bans of an address',
  description:
    'Ends every ban of the address at once, for every protocol and on all peers, and deletes the count of failed logins that led to it. An IPv6 address means the network that counts as one client.',
  authentication: { kind: 'bearer', permission: 'bans:delete' },
  params: z.object({
    address: z
      .union([z.ipv4(), z.ipv6(), z.cidrv6()], 'is not an IP address')
      .describe('An IP address or an IPv6 network, as the list shows it; a slash is written `%2F`')
      .meta({ example: '203.0.113.7' }),
  }),
  responses: {
    200: {
      description: 'The bans that were lifted',
      body: { kind: 'json', schema: z.object({ bans: z.array(loginBanSchema).describe('The bans that were lifted') }) },
    },
  },
  alreadyDeleted: { code: 'ban_unknown', status: 200, body: () => ({ bans: [] }) },
  errors: ['ban_unknown'],
});
