import type { FrozenUser } from '@waybill/directory/frozen-users';

/** Who is kept out. Each change is on the record with who made it. */
export interface UserFreezes {
  find(userName: string): Promise<FrozenUser | undefined>;
  /** Nothing happens to a user who is frozen already. */
  freeze(userName: string, by: string): Promise<void>;
  thaw(userName: string, by: string): Promise<void>;
}
