import type { UserName } from '@waybill/contracts/values/user-name';
import type { Queryable } from '@waybill/postgres/database';
import type { ManagerUser } from '../users/manager-user.ts';
import { queryRows } from './query-rows.ts';

/** The manager user with this name. */
export async function findManagerUser(on: Queryable, name: UserName): Promise<ManagerUser | undefined> {
  const [row] = await queryRows<Omit<ManagerUser, 'passwordHash'> & { passwordHash: string | null }>(
    on,
    `SELECT id, name, password_hash AS "passwordHash", roles, enabled
       FROM directory.manager_users WHERE name = :name`,
    { name },
  );
  return row && { ...row, passwordHash: row.passwordHash ?? undefined };
}
