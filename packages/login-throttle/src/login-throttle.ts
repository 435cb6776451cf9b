import type { UserName } from '@waybill/contracts/values/user-name';

/** Slows down who guesses passwords, counting failures over the whole cluster. */
export interface LoginThrottle {
  /**
   * Lets an attempt be judged, once there can be no more failures with it than are allowed: guesses made at once count
   * too, and who knows the password has to wait for them at most. Each attempt that is let in is to be settled.
   * @throws CodedError `too_many_requests` with `retryAfterSeconds`, when there were too many failures
   */
  admit(attempt: LoginAttempt): Promise<void>;
  /** Tells how an attempt ended. One that was not judged counts for nothing. */
  settle(attempt: LoginAttempt, outcome: LoginOutcome): Promise<void>;
}

/** Who tries to log in, from where. */
export interface LoginAttempt {
  readonly userName: UserName;
  readonly clientAddress: string;
}

/** How an attempt to log in can end. */
export type LoginOutcome = 'passed' | 'failed' | 'not judged';
