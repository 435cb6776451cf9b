import type { CountedNetwork, CountNetwork } from '@waybill/service-kit/network/counted-network';

/** What key exchanges without a login each address may cost. Addresses of one counted network share it. */
export interface ExchangeBudget {
  /** False: the address has spent what it may, and is to come back later. */
  admits(address: string): boolean;
  /** Counts the exchanges of a connection that ended without a login. True when the address has now spent what it may. */
  spend(address: string, cost: number): boolean;
}

interface Account {
  spent: number;
  at: number;
}

const minuteMs = 60_000;
/** Networks that are remembered; the one remembered longest is forgotten first. */
const mostNetworks = 20_000;

/**
 * Keeps the processor for those who log in: an address may spend `perMinute` on exchanges that lead to no login, and gets
 * it back evenly, within a minute. What many connections at once spend beyond it takes longer, two minutes at most.
 */
export function createExchangeBudget(options: {
  readonly perMinute: number;
  readonly countNetwork: CountNetwork;
  /** True for an address that may spend what it likes. */
  isExempt(address: string): boolean;
  now?(): number;
}): ExchangeBudget {
  const { perMinute, countNetwork, isExempt, now = () => performance.now() } = options;
  const accounts = new Map<CountedNetwork, Account>();

  const spentBy = (network: CountedNetwork): number => {
    const account = accounts.get(network);
    if (account === undefined) return 0;
    const spent = Math.max(0, account.spent - ((now() - account.at) * perMinute) / minuteMs);
    if (spent === 0) accounts.delete(network);
    return spent;
  };

  return {
    admits: (address) => isExempt(address) || spentBy(countNetwork(address)) < perMinute,
    spend: (address, cost) => {
      if (cost === 0 || isExempt(address)) return false;
      const network = countNetwork(address);
      const before = spentBy(network);
      const spent = Math.min(before + cost, 2 * perMinute);
      // The order of the map is that of the last payment.
      accounts.delete(network);
      accounts.set(network, { spent, at: now() });
      if (accounts.size > mostNetworks) forgetOldest(accounts);
      return before < perMinute && spent >= perMinute;
    },
  };
}

function forgetOldest(accounts: Map<CountedNetwork, Account>): void {
  for (const network of accounts.keys()) {
    accounts.delete(network);
    return;
  }
}
