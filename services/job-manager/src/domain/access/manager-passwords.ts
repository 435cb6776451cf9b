import type { UserName } from '@waybill/contracts/user-name';

/** Where the passwords of manager users are kept. */
export interface ManagerPasswords {
  /** Sets a password, puts that on the audit record, and ends all logins of the user. */
  change(user: { id: string; name: UserName }, password: string): Promise<void>;
}
