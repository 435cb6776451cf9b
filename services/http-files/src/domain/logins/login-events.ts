import type { SecondFactorProof } from '@waybill/access/second-factors/second-factors';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';
import type { LoginAttempt } from '@waybill/login-throttle/login-throttle';
import type { LoginSession } from './login-sessions.ts';

/** How a user has logged in. */
export type LoginMethod = 'password' | SecondFactorProof;

/** Why credentials are wrong. */
export type ProofRefusal = 'invalid_credentials' | 'second_factor_refused';

/** The events of logins, for logs and metrics. */
export interface LoginEvents {
  loggedIn(session: LoginSession, method: LoginMethod): void;
  loginFailed(attempt: LoginAttempt, refusal: ProofRefusal): void;
  /** A user has set up or removed a second factor, or replaced its recovery codes. */
  secondFactorChanged(change: 'set' | 'removed' | 'codes_renewed'): void;
  /** The credentials were right, and more is needed. */
  loginTurnedAway(attempt: LoginAttempt, code: ErrorCode): void;
  loginThrottled(attempt: LoginAttempt): void;
  /** `exposure` is the setting by which other machines reach the service. */
  demoPasswordRefused(userName: string, exposure: string): void;
  /** Too many failures: logins of the subject are refused from now on. */
  loginsBanned(subject: BannedSubject, seconds: number): void;
  banNotRecorded(error: unknown): void;
  /** The user is logged in all the same. */
  loginTimeNotRecorded(error: unknown): void;
  /** The reason is absent if the user has logged out. */
  loggedOut(session: Pick<LoginSession, 'id' | 'userName'>, reason: string | undefined): void;
}
