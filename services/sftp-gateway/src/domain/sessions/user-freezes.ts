import type { UserName } from '@waybill/contracts/values/user-name';
import type { FrozenUser } from '@waybill/directory/logins/frozen-users';

/** Who is kept out. Each change is on the record with who made it. */
export interface UserFreezes {
  find(userName: UserName): Promise<FrozenUser | undefined>;
  /** Nothing happens to a user who is frozen already. */
  freeze(userName: UserName, by: UserName): Promise<void>;
  thaw(userName: UserName, by: UserName): Promise<void>;
}
