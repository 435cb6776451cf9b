import { isIP } from 'node:net';
import { z } from 'zod';

const wrongPort = 'must be a port number from 0 to 65535';

/** A TCP port, or 0 for any free one, without a default. */
export const anyPortSchema = z.coerce.number(wrongPort).int(wrongPort).min(0, wrongPort).max(65_535, wrongPort);

/** A TCP port, or 0 for any free one. */
export function portSchema(defaultPort: number) {
  return anyPortSchema.default(defaultPort);
}

/** A list separated by commas; blanks around the items and empty items are ignored. */
export const listSchema = z
  .string()
  .transform((text) => text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()])));

/** Networks in CIDR notation (`10.0.0.0/8`, `::1/128`) or single addresses, separated by commas. */
export const cidrListSchema = listSchema.refine(
  (items) => items.every(isNetwork),
  'is a list of networks such as 10.0.0.0/8',
);

function isNetwork(item: string): boolean {
  const [address = '', prefix, ...rest] = item.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/u.test(prefix) && Number(prefix) <= (version === 4 ? 32 : 128));
}
