import { createHash } from 'node:crypto';
import { createNetworkList } from '@waybill/service-kit/network/network-list';
import type { NetworkRule } from './memberships.ts';

/** Verdicts that are remembered: a list of 1 000 networks takes 10 ms to set up, and is asked with each request. */
const rememberedAtMost = 10_000;

/** By a digest of the address and the networks. */
const verdicts = new Map<string, boolean>();

/** Whether a user may log in from an address, and keep the sessions that were opened from it: without networks, from any. */
export function isAllowedFrom(rules: readonly NetworkRule[], address: string): boolean {
  return rules.every(({ networks }) => isAmong(networks, address));
}

/** Whether an address is in one of these networks. */
export function isAmong(networks: readonly string[], address: string): boolean {
  const key = createHash('sha256')
    .update([address, ...networks].join(' '))
    .digest('base64');
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const verdict = createNetworkList(networks)(address);
  if (verdicts.size >= rememberedAtMost) verdicts.clear();
  verdicts.set(key, verdict);
  return verdict;
}
