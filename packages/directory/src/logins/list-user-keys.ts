import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import type { UserKey } from '../users/partner-user.ts';

/** A key of a user, with when it was used last. */
export interface UsedKey extends UserKey {
  readonly lastUsedAt: Date | undefined;
}

/** The keys of a partner user as the configuration has them; `undefined` when there is no such user. */
export async function listUserKeys(on: Queryable, userName: UserName): Promise<UsedKey[] | undefined> {
  const users = await queryRows<{ publicKeys: UserKey[]; id: string }>(
    on,
    `SELECT id, definition -> 'publicKeys' AS "publicKeys" FROM directory.partner_users WHERE name = :name`,
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
