import { z } from 'zod';

/** The settings of a service that counts logins, failures or connections by client. */
export const clientConfigShape = {
  CLIENT_IPV6_PREFIX_BITS: z.coerce
    .number()
    .int()
    .min(16)
    .max(128)
    .default(64)
    .describe(
      'IPv6 addresses with this many leading bits in common count as one client, in limits, throttles and bans; must be the same for all services',
    ),
};
