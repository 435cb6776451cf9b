import { lookup as resolveName } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import { canonicalHost } from './canonical-host.ts';
import { judgeAddress } from './judge-address.ts';

/** Resolves a name to all its addresses. */
export type Lookup = (host: string) => Promise<readonly string[]>;

/** The destinations that an operator allows. */
export interface DestinationRules {
  /** Names, `*.example.org`, addresses, or `*`. */
  readonly allowedHosts: readonly string[];
  /** Networks that are allowed although they are not public. */
  readonly allowedNetworks: readonly string[];
  readonly lookup?: Lookup;
}

/** Decides where client connections may go. */
export interface DestinationGuard {
  /**
   * The addresses of a host that may be connected to. Connect to these, and never to the name: another lookup could have
   * another result.
   * @throws CodedError `destination_refused`; `connection_failed` if the name cannot be resolved
   */
  addressesOf(host: string): Promise<readonly string[]>;
}

/** The guard for these rules. Every connection and every target of a redirect passes it. */
export function createDestinationGuard(rules: DestinationRules): DestinationGuard {
  const { allowedNetworks, lookup = lookUp } = rules;
  const isAllowedHost = createHostMatcher(rules.allowedHosts);
  const isInAllowedNetwork = createNetworkList(allowedNetworks);
  const isAllowedAlone = singleAddresses(allowedNetworks);

  const objectionTo = (address: string): string | undefined => {
    const verdict = judgeAddress(address);
    if (!verdict) return 'not an IP address';
    const { effective, isPublic, isMetadata, kind } = verdict;
    const isAllowed = isPublic || (isMetadata ? isAllowedAlone(effective) : isInAllowedNetwork(effective));
    return isAllowed ? undefined : kind;
  };
  const refuse = (host: string, reason: string): never => {
    throw new CodedError('destination_refused', { detail: `The destination ${host} is not allowed: ${reason}` });
  };

  return {
    addressesOf: async (given) => {
      const host = canonicalHost(given) ?? refuse(given, 'it is not a host');
      if (isIP(host) !== 0) {
        const objection = objectionTo(host);
        if (objection !== undefined) refuse(host, `the address is ${objection}`);
        if (!isAllowedHost(host) && !isInAllowedNetwork(host)) refuse(host, 'it is not in OUTBOUND_ALLOWED_HOSTS');
        return [host];
      }
      if (!isAllowedHost(host)) refuse(host, 'it is not in OUTBOUND_ALLOWED_HOSTS');
      const found = await resolve(host, lookup);
      const allowed = found.filter((address) => objectionTo(address) === undefined);
      if (allowed.length > 0) return allowed;
      return refuse(host, `its address is ${[...new Set(found.map(objectionTo))].join(' and ')}`);
    },
  };
}

async function resolve(host: string, lookup: Lookup): Promise<readonly string[]> {
  try {
    const found = await lookup(host);
    if (found.length > 0) return found;
  } catch (cause) {
    throw new CodedError('connection_failed', { detail: `The name ${host} cannot be resolved`, cause });
  }
  throw new CodedError('connection_failed', { detail: `The name ${host} has no address` });
}

async function lookUp(host: string): Promise<string[]> {
  const found = await resolveName(host, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
}

function createHostMatcher(patterns: readonly string[]): (host: string) => boolean {
  const exact = new Set<string>();
  const endings: string[] = [];
  for (const pattern of patterns) {
    if (pattern === '*') return () => true;
    if (pattern.startsWith('*.')) endings.push(pattern.slice(1).toLowerCase());
    else exact.add(canonicalHost(pattern) ?? pattern);
  }
  return (host) => exact.has(host) || endings.some((ending) => host.endsWith(ending));
}

/** The entries that are one address and not a network. */
function singleAddresses(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const full = familyOf(address) === 'ipv6' ? '128' : '32';
    if (prefix === undefined || prefix === full) list.addAddress(address, familyOf(address));
  }
  return (address) => list.check(address, familyOf(address));
}
