import type { LoginAttempt } from '@waybill/login-throttle/login-throttle';
import type { LoginSession } from './login-sessions.ts';

/** What operators are told about logins. */
export interface LoginEvents {
  loggedIn(session: LoginSession): void;
  loginFailed(attempt: LoginAttempt): void;
  loginThrottled(attempt: LoginAttempt): void;
  /** The reason is absent when its user asked for it. */
  loggedOut(session: Pick<LoginSession, 'id' | 'userName'>, reason: string | undefined): void;
}
