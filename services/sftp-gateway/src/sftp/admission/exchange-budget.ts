import type { CountedNetwork, CountNetwork } from '@waybill/service-kit/network/counted-network';

/** The cost of key exchanges without a login for each address. Addresses of one counted network share it. */
export interface ExchangeBudget {
  /** False: the address has spent its budget, and must come back later. */
  admits(address: string): boolean;
  /** Counts the exchanges of a connection that ended without a login. Returns true if that exhausts the budget. */
  spend(address: string, cost: number): boolean;
}

interface Account {
  spent: number;
  at: number;
}

const minuteMs = 60_000;
/** The number of remembered networks; the least recently counted one is forgotten first. */
const mostNetworks = 20_000;

/**
 * Reserves the processor for clients that log in: an address may spend `perMinute` on exchanges that lead to no login,
 * and recovers it evenly, within a minute. What many connections at once spend beyond it takes longer, at most two
 * minutes.
 */
export function createExchangeBudget(options: {
  readonly perMinute: number;
  readonly countNetwork: CountNetwork;
  /** Whether the cost of this address is not counted. */
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
      // The map is ordered by last cost.
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
