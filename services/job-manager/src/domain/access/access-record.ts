import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';

/** More about a login. `authentication`: how the user proved to be who it is; by a password unless given. */
export interface LoginCircumstances {
  readonly authentication?: string;
  readonly outcome?: string;
  readonly reason?: string;
  /** Of a user whom an outside issuer has identified. */
  readonly issuer?: string;
  readonly subject?: string;
  readonly roles?: string;
}

/** Puts on the audit record what happens to logins and passwords. */
export interface AccessRecord {
  note(
    fact:
      | 'managerLogin'
      | 'managerLoginFailed'
      | 'managerPasswordDue'
      | 'managerSecondFactorDue'
      | 'managerTokensRenewed'
      | 'managerLogout',
    userName: UserName,
    circumstances?: LoginCircumstances,
  ): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  notePasswordRefusal(user: { id: string; name: UserName }): Promise<void>;
}
