import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { publicKeysOfUser } from '../queries/find-partner-user.ts';
import { queryRows } from '../queries/query-rows.ts';
import type { UserKey } from '../users/partner-user.ts';

/** A key of a user, with the time of its last use. */
export interface UsedKey extends UserKey {
  readonly lastUsedAt: Date | undefined;
}

/** The keys of a partner user, of the configuration and the user's own; `undefined` if the user does not exist. */
export async function listUserKeys(on: Queryable, userName: UserName): Promise<UsedKey[] | undefined> {
  const users = await queryRows<{ publicKeys: UserKey[]; id: string }>(
    on,
    `SELECT u.id, ${publicKeysOfUser} AS "publicKeys" FROM directory.partner_users u WHERE u.name = :name`,
    { name: userName },
  );
  const [user] = users;
  if (user === undefined) return undefined;
  const uses = await queryRows<{ key: string; lastUsedAt: Date }>(
    on,
    `SELECT key, last_used_at AS "lastUsedAt" FROM directory.key_uses WHERE user_id = :id`,
    { id: user.id },
  );
  const lastUses = new Map(uses.map(({ key, lastUsedAt }) => [key, lastUsedAt]));
  return user.publicKeys.map((key) => ({ ...key, lastUsedAt: lastUses.get(key.key) }));
}
