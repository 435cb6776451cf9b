import type { BannedSubject } from '@waybill/login-throttle/login-ban';

/** What operators want to know of logins. */
export interface LoginEvents {
  loginSucceeded(userName: string): void;
  loginFailed(userName: string): void;
  loginThrottled(userName: string): void;
  /** Too many failures: logins of the subject are refused from now on. */
  loginsBanned(subject: BannedSubject, seconds: number): void;
  banNotRecorded(error: unknown): void;
  throttleUnreachable(error: unknown): void;
}
