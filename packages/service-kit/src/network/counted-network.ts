import { isIPv4 } from 'node:net';
import { canonicalAddress, ipv6NetworkOf } from './client-address.ts';

declare const countedNetworkBrand: unique symbol;

/**
 * What counts as one client: an IPv4 address, or an IPv6 network, because a host can take any address of its
 * network. Only the functions of this file create one.
 */
export type CountedNetwork = string & { readonly [countedNetworkBrand]: true };

/** The network by which every limit, throttle and ban counts a client's address. */
export type CountNetwork = (address: string) => CountedNetwork;

/** All clients without an IP address count as one, so that arbitrary texts cannot create counters. */
const withoutAddress = 'unknown' as CountedNetwork;

/** Counts all IPv6 addresses of a network of `ipv6PrefixBits` bits as one, and IPv4-mapped addresses as IPv4. */
export function createNetworkCounter(ipv6PrefixBits: number): CountNetwork {
  return (text) => {
    const address = canonicalAddress(text);
    if (address === undefined) return withoutAddress;
    return (isIPv4(address) ? address : ipv6NetworkOf(address, ipv6PrefixBits)) as CountedNetwork;
  };
}

/** Parses an address or an IPv6 network, as `createNetworkCounter` writes it or in another spelling. */
export function parseCountedNetwork(text: string): CountedNetwork | undefined {
  if (text === withoutAddress) return withoutAddress;
  const [first = '', prefix, ...rest] = text.split('/');
  const address = canonicalAddress(first);
  if (address === undefined || rest.length > 0) return undefined;
  if (prefix === undefined) return address as CountedNetwork;
  if (isIPv4(address) || !/^\d{1,3}$/u.test(prefix) || Number(prefix) > 128) return undefined;
  return ipv6NetworkOf(address, Number(prefix)) as CountedNetwork;
}
