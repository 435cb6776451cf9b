import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';

/** Deletes all API keys of a manager user. */
export async function deleteApiKeys(on: Queryable, owner: UserName): Promise<void> {
  await on.raw('DELETE FROM access.api_keys WHERE owner = ?', [owner]);
}
