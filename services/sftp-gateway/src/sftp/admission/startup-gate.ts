import type { CountedNetwork } from '@waybill/service-kit/network/counted-network';

/** Admits connections that are not logged in yet. */
export interface StartupGate {
  /** False: drop this connection. True: call `release` with the same network when it has logged in or is closed. */
  admit(network: CountedNetwork): boolean;
  release(network: CountedNetwork): void;
  /** Networks with waiting connections: no more than there are places. */
  readonly networks: number;
}

const freeShare = 0.5;
const leastDropProbability = 0.3;
const shareOfOneNetwork = 0.25;

/**
 * Limits floods of unauthenticated connections, like OpenSSH's MaxStartups: all are admitted up to half the limit; from
 * there on a rising share is dropped at random (so that an honest client still gets through by trying again); at the
 * limit all are dropped. One client (an IPv4 address or an IPv6 network) may hold a quarter of the places.
 */
export function createStartupGate(options: { limit: number; random?: () => number }): StartupGate {
  const { limit, random = Math.random } = options;
  const perNetwork = new Map<CountedNetwork, number>();
  let pending = 0;

  const dropProbability = (): number => {
    const share = pending / limit;
    if (share < freeShare) return 0;
    if (share >= 1) return 1;
    return leastDropProbability + ((1 - leastDropProbability) * (share - freeShare)) / (1 - freeShare);
  };

  return {
    admit: (network) => {
      const ofNetwork = perNetwork.get(network) ?? 0;
      if (ofNetwork >= Math.ceil(limit * shareOfOneNetwork) || random() < dropProbability()) return false;
      perNetwork.set(network, ofNetwork + 1);
      pending += 1;
      return true;
    },
    release: (network) => {
      const ofNetwork = perNetwork.get(network) ?? 0;
      if (ofNetwork === 0) return;
      if (ofNetwork === 1) perNetwork.delete(network);
      else perNetwork.set(network, ofNetwork - 1);
      pending -= 1;
    },
    get networks() {
      return perNetwork.size;
    },
  };
}
