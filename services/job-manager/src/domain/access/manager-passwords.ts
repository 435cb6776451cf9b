import type { UserName } from '@waybill/contracts/values/user-name';
import type { PasswordDemand } from '@waybill/directory/accounts/account-standing';
import type { ManagerUser } from '@waybill/directory/users/manager-user';

/** Where the passwords of manager users are kept. */
export interface ManagerPasswords {
  /** Why the user has to change the password before a login with it. */
  demandOn(user: Pick<ManagerUser, 'id'>): Promise<PasswordDemand | undefined>;
  /** Sets a password, puts that on the audit record, and ends all logins of the user. @throws CodedError `password_refused` */
  change(user: ManagerUser, password: string): Promise<void>;
  /** Whether a code for the user's first password is good. */
  acceptsFirst(user: { name: UserName }, code: string): Promise<boolean>;
  /**
   * Sets the first password with a code, and audits that; false if the code was already used.
   * @throws CodedError `password_refused`; then the code is still good
   */
  setFirst(user: ManagerUser, code: string, password: string): Promise<boolean>;
}
