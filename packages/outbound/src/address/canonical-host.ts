import { isIP } from 'node:net';

/**
 * The canonical form of a host: a name in lower case and in ASCII, without a dot at its end, or an IP address without
 * brackets. Short, decimal, octal and hexadecimal forms of IPv4 addresses (`127.1`, `2130706433`, `0x7f000001`) become the
 * address that a resolver would make of them, so that no spelling gets past a check. `undefined` if it is no host.
 */
export function canonicalHost(host: string): string | undefined {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  if (isIP(bare) === 6) return bare.includes('%') ? undefined : bare.toLowerCase();
  if (!/^[^\s:/?#@\\[\]%]+$/u.test(bare)) return undefined;
  const hostname = URL.parse(`http://${bare}/`)?.hostname.replace(/\.$/u, '');
  return hostname === '' ? undefined : hostname;
}
