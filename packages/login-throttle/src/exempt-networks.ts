import type { LoginThrottle } from './login-throttle.ts';

/** The same throttle, but the failures of some addresses are ignored: scanners, or a gateway that many users share. */
export function exemptNetworks(throttle: LoginThrottle, isExempt: (address: string) => boolean): LoginThrottle {
  return {
    admit: async (attempt) => {
      if (!isExempt(attempt.clientAddress)) await throttle.admit(attempt);
    },
    settle: async (attempt, outcome) => {
      if (!isExempt(attempt.clientAddress)) await throttle.settle(attempt, outcome);
    },
  };
}
