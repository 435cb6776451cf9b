import type { UserName } from '@waybill/contracts/values/user-name';

/** Slows down the guessing of passwords, with failures counted over the whole cluster. */
export interface LoginThrottle {
  /**
   * Admits an attempt once it cannot exceed the allowed failures: concurrent attempts count too, so that a user who
   * knows the password may have to wait for them. Each admitted attempt must be settled. @throws CodedError
   * `too_many_requests` with `retryAfterSeconds` after too many failures
   */
  admit(attempt: LoginAttempt): Promise<void>;
  /** Reports the outcome of an attempt. One that was not checked is not counted. */
  settle(attempt: LoginAttempt, outcome: LoginOutcome): Promise<void>;
}

/** The user and the address of a login attempt. */
export interface LoginAttempt {
  readonly userName: UserName;
  readonly clientAddress: string;
}

/** The outcomes of a login attempt. */
export type LoginOutcome = 'passed' | 'failed' | 'not judged';

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
