import type { UserName } from '@waybill/contracts/values/user-name';

/** Where the passwords of manager users are kept. */
export interface ManagerPasswords {
  /** Sets a password, puts that on the audit record, and ends all logins of the user. */
  change(user: { id: string; name: UserName }, password: string): Promise<void>;
  /** Whether a code for the user's first password is good. */
  acceptsFirst(user: { name: UserName }, code: string): Promise<boolean>;
  /** Sets the first password with a code, and audits that; false if the code was already used. */
  setFirst(user: { id: string; name: UserName }, code: string, password: string): Promise<boolean>;
}
