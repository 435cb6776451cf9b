import { z } from 'zod';

/** An IP address, or a network in CIDR notation. */
export const networkSchema = z.union(
  [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()],
  'is neither an address nor a network',
);

/** The IP address of a client. */
export const clientAddressSchema = z.union([z.ipv4(), z.ipv6()], 'is not an IP address');
