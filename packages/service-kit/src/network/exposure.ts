import { BlockList, isIP } from 'node:net';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** The addresses that a service listens on, with their settings. */
export interface ListenerSettings {
  /** The name of the setting, such as `HOST`, and the address. */
  readonly listener: readonly [setting: string, address: string];
  /** `PUBLISHED_ADDRESS`: where the listener can be reached from outside the container. */
  readonly publishedAddress: string | undefined;
}

/**
 * The setting by which a listener can be reached from other machines, as `HOST=0.0.0.0`; `undefined` for loopback. A
 * host name other than `localhost` counts as reachable.
 */
export function exposureOf({ listener: [setting, address], publishedAddress }: ListenerSettings): string | undefined {
  if (publishedAddress !== undefined) {
    return isLoopback(publishedAddress) ? undefined : `PUBLISHED_ADDRESS=${publishedAddress}`;
  }
  return isLoopback(address) ? undefined : `${setting}=${address}`;
}

function isLoopback(address: string): boolean {
  const bare = address.replace(/^\[(.*)\]$/u, '$1').toLowerCase();
  if (bare === 'localhost') return true;
  const version = isIP(bare);
  return version !== 0 && loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
