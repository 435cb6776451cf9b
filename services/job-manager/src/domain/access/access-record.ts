import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';

/** Puts on the audit record what happens to logins and passwords. */
export interface AccessRecord {
  note(
    fact: 'managerLogin' | 'managerLoginFailed' | 'managerPasswordDue' | 'managerTokensRenewed' | 'managerLogout',
    userName: UserName,
  ): Promise<void>;
  loginsBanned(subject: BannedSubject, seconds: number): Promise<void>;
  notePasswordRefusal(user: { id: string; name: UserName }): Promise<void>;
}
