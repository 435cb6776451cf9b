import { z } from 'zod';

/** For a service that counts logins, failures or connections of one client. */
export const clientConfigShape = {
  CLIENT_IPV6_PREFIX_BITS: z.coerce
    .number()
    .int()
    .min(16)
    .max(128)
    .default(64)
    .describe(
      'IPv6 addresses that have this many leading bits in common count as one client, in limits, throttles and bans; the same for all services',
    ),
};
