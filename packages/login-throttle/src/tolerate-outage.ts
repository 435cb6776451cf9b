import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { LoginThrottle } from './login-throttle.ts';

/** The same throttle, but while Redis is unavailable it admits every attempt: a guess still costs a slow hash. */
export function tolerateOutage(throttle: LoginThrottle, onOutage: (error: unknown) => void): LoginThrottle {
  return {
    admit: async (attempt) => {
      try {
        await throttle.admit(attempt);
      } catch (error) {
        if (error instanceof CodedError) throw error;
        onOutage(error);
      }
    },
    settle: async (attempt, outcome) => {
      try {
        await throttle.settle(attempt, outcome);
      } catch (error) {
        onOutage(error);
      }
    },
  };
}
