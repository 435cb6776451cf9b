import type { UserName } from '@waybill/contracts/values/user-name';
import type { FrozenUser } from '@waybill/directory/logins/frozen-users';

/** The frozen users. Each change is audited with its actor. */
export interface UserFreezes {
  find(userName: UserName): Promise<FrozenUser | undefined>;
  /** Has no effect on a user who is already frozen. */
  freeze(userName: UserName, by: UserName): Promise<void>;
  thaw(userName: UserName, by: UserName): Promise<void>;
}
